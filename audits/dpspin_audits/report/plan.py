"""Section 5: the released plan, and the summary sentence by sentence."""

from typing import NamedTuple

from dpspin_audits.report.case import Case
from dpspin_audits.report.marks import Drawing
from dpspin_audits.report.masses import MOST_ATOMS, Atom, Terms, masses
from dpspin_audits.report.numerals import at_most, counted, nearest, percent, sentence
from dpspin_audits.report.prose import Text, label, text
from dpspin_audits.report.tables import Column, Row, Table, table
from dpspin_audits.report.tree import Node

COLUMNS = (
    Column("Rank", "r", "rank"),
    Column("Theme", names_row=True),
    Column("Noisy mass", "r", "mass"),
    Column("Support", "r", "support"),
    Column("Bin", "nw", "bin"),
)
SPARSE = "Band and floor are about the noise of the admitted themes alone; the others were never given a noisy mass."
CONTRACT = {
    "structured": "Structured mode: the writer gave claims as data, and the text was rendered from them.",
    "legacy_text": "Text mode: the sentences were parsed to claims. It is the weaker mode: it refuses many true "
    "sentences, and a misleading layout is beyond it.",
}
PLAIN_DIGITS = 2  # digits of a mass where a plan does not say


class Sentence(NamedTuple):
    """One sentence of the summary and the claims it reduces to."""

    words: Text
    supported: bool
    claims: Text


class Plan(NamedTuple):
    """What section 5 shows besides the table of themes."""

    drawings: tuple[Drawing, ...]
    floor: str
    margin: str
    noise: str
    """What the noise floor is about, where it is not all themes."""
    shown: str
    """How many themes the figure shows, in words."""
    sentences: tuple[Sentence, ...]
    contract: str
    """Under which mode of the contract the summary was written."""
    unsupported: str
    """How many sentences are not supported, in words; empty for none."""


def _digits(plan: Node) -> int:
    return plan.node("display").count("mass_dp") if plan.has("display") else PLAIN_DIGITS


def atoms_of(plan: Node) -> tuple[Atom, ...]:
    """The released themes in rank order."""
    found = [
        Atom(row.count("rank"), row.text("label"), row.number("noisy_mass"), row.text("support"), row.text("bin"))
        for row in plan.nodes("released")
    ]
    return tuple(sorted(found, key=lambda atom: atom.rank))


def _terms(case: Case, plan: Node) -> Terms:
    denominator = plan.number("public_denominator")
    bins = [(row.text("name"), row.number("lower") * denominator) for row in plan.nodes("bins") if row.has("lower")]
    return Terms(
        floor=case.deployment.number("noise_floor"),
        margin=case.deployment.number("margin"),
        bins=tuple(bins),
        digits=_digits(plan),
        noised=case.noised,
        confidence=percent(1 - case.deployment.number("noise_beta")),
    )


def _sentence(node: Node) -> Sentence:
    """A sentence as written, without the mark of a list item."""
    words = node.text("sentence").removeprefix("- ")
    return Sentence(label(words), node.flag("supported"), label("; ".join(node.texts("claims"))))


def view(case: Case) -> Plan | None:
    """The plan and the summary, or None where the subject had no readable bundle."""
    plan = case.root.maybe_node("plan")
    if plan is None:
        return None
    mode = case.deployment.text("contract_mode")
    if mode not in CONTRACT:
        raise case.deployment.wrong("contract_mode", f"one of {', '.join(CONTRACT)}")
    atoms, terms = atoms_of(plan), _terms(case, plan)
    sentences = tuple(map(_sentence, case.root.nodes("summary")))
    wrong = sum(not item.supported for item in sentences)
    forms = (("fig2", "wide"), ("fig2n", "narrow")) if atoms else ()
    shown = counted(min(len(atoms), MOST_ATOMS), "released theme")
    return Plan(
        drawings=tuple(masses(atoms, terms, id_, form) for id_, form in forms),
        floor=at_most(terms.floor, 2),
        margin=at_most(terms.margin, 2),
        noise=SPARSE if case.is_sparse else "",
        shown=f"The {shown}"
        if len(atoms) <= MOST_ATOMS
        else f"The {MOST_ATOMS} highest of {len(atoms):,} released themes",
        sentences=sentences,
        contract=CONTRACT[mode],
        unsupported=sentence(counted(wrong, "sentence is", "sentences are")) if wrong else "",
    )


def themes(case: Case) -> Table | None:
    """The released themes in rank order."""
    plan = case.root.maybe_node("plan")
    if plan is None:
        return None
    digits = _digits(plan)
    rows = [
        Row(
            (
                text(f"{atom.rank:,}"),
                label(atom.label),
                text(nearest(atom.mass, digits)),
                label(atom.support),
                label(atom.bin),
            )
        )
        for atom in atoms_of(plan)
    ]
    return table("Released themes in rank order.", COLUMNS, rows, form="stack dense")
