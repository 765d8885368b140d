"""Sections 5 and 8: the released plan, the summary sentence by sentence, and what the noise does to both."""

from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report.case import Case
from dpspin_audits.report.marks import Drawing
from dpspin_audits.report.masses import MOST_ATOMS, Atom, Terms, masses
from dpspin_audits.report.numerals import at_most, counted, nearest, percent, sentence, spelled
from dpspin_audits.report.prose import Text, label, text
from dpspin_audits.report.tables import Column, Pair, Row, Table, table
from dpspin_audits.report.tree import Node

COLUMNS = (
    Column("Rank", "r", "rank"),
    Column("Theme", names_row=True),
    Column("Noisy mass", "r", "mass"),
    Column("Support", "r", "support"),
    Column("Bin", "nw", "bin"),
)
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
    shown: str
    """How many themes the figure shows, in words."""
    sentences: tuple[Sentence, ...]
    unsupported: str
    """How many sentences are not supported, in words; empty for none."""


def _digits(plan: Node) -> int:
    return plan.node("display").count("mass_dp") if plan.has("display") else PLAIN_DIGITS


def _atoms(plan: Node) -> tuple[Atom, ...]:
    found = [
        Atom(row.count("rank"), row.text("label"), row.number("noisy_mass"), row.text("support"), row.text("bin"))
        for row in plan.nodes("released")
    ]
    return tuple(sorted(found, key=lambda atom: atom.rank))


def _confidence(case: Case) -> str:
    return percent(1 - case.deployment.number("noise_beta"))


def _terms(case: Case, plan: Node) -> Terms:
    denominator = plan.number("public_denominator")
    bins = [(row.text("name"), row.number("lower") * denominator) for row in plan.nodes("bins") if row.has("lower")]
    return Terms(
        floor=case.deployment.number("noise_floor"),
        margin=case.deployment.number("margin"),
        bins=tuple(bins),
        digits=_digits(plan),
        atoms=case.deployment.count("universe_size"),
        confidence=_confidence(case),
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
    atoms, terms = _atoms(plan), _terms(case, plan)
    sentences = tuple(map(_sentence, case.root.nodes("summary")))
    wrong = sum(not item.supported for item in sentences)
    forms = (("fig2", "wide"), ("fig2n", "narrow")) if atoms else ()
    shown = counted(min(len(atoms), MOST_ATOMS), "released theme")
    return Plan(
        drawings=tuple(masses(atoms, terms, id_, form) for id_, form in forms),
        floor=at_most(terms.floor, 2),
        margin=at_most(terms.margin, 2),
        shown=f"The {shown}"
        if len(atoms) <= MOST_ATOMS
        else f"The {MOST_ATOMS} highest of {len(atoms):,} released themes",
        sentences=sentences,
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
        for atom in _atoms(plan)
    ]
    return table("Released themes in rank order.", COLUMNS, rows, form="stack dense")


def _seen(atoms: tuple[Atom, ...], floor: Fraction) -> list[Pair]:
    low, cut = (
        spelled(count) if count else "none"
        for count in (sum(atom.mass <= floor for atom in atoms), sum(atom.mass < 0 for atom in atoms))
    )
    of = f" of {spelled(len(atoms))}"
    return [
        (text("Below the floor"), text(f"{low}{of}: such a theme may be noise alone")),
        (text("Positive part"), text(f"supports are cut at 0; this touched {cut}{of}")),
    ]


def utility(case: Case) -> tuple[Pair, ...]:
    """What a reader may and may not conclude from the masses."""
    deployment = case.deployment
    floor, margin = deployment.number("noise_floor"), deployment.number("margin")
    number = deployment.count("universe_size")
    bound = f"all {number:,} masses lie within {at_most(floor, 2)} of the exact sums, with probability at least "
    order = "“over” is said of two masses only if they differ by at least "
    rows = [
        (text("Noise floor"), text(bound, _confidence(case), " (exact tail of the noise)")),
        (
            text("Margin"),
            text(order, at_most(margin, 2), ". Nothing of the kind holds for “similar”, ranks or the list’s order"),
        ),
        (
            text("Selection"),
            text("a theme may be shown because its noise was high; masses near the last rank are biased upwards"),
        ),
        (
            text("Bounding"),
            text(
                f"a record that names more than {spelled(deployment.count('max_atoms'))} themes counts for its "
                "strongest ones; the size of this effect needs the curator’s figures and was not assessed"
            ),
        ),
    ]
    plan = case.root.maybe_node("plan")
    return tuple(rows + (_seen(_atoms(plan), floor) if plan else []))
