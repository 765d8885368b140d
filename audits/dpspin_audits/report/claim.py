"""Section 2: the claim in words, and what it means for someone with several units."""

from fractions import Fraction
from typing import NamedTuple

from dpspin.accounting.conversion import from_add_drop_to_replacement
from dpspin_audits.report import built
from dpspin_audits.report.case import Case
from dpspin_audits.report.mechanism import calibration, mechanism
from dpspin_audits.report.numerals import at_most, brief, factor, group_delta, number, percent, sentence, upper
from dpspin_audits.report.prose import Text, code, joined, label, note, power, text, var
from dpspin_audits.report.tables import Column, Pair, Row, Table, table
from dpspin_audits.report.tree import Node

GROUPS = (1, 2, 5, 10)
MISSING = {
    "drop": text("a record without an id contributes nothing"),
    "own_unit": text(
        "a record without an id is a unit of its own: someone with one id and ", var("k"),
        " records without one is covered at (1\u00a0+\u00a0", var("k"), ")\u00a0ε",
    ),
}  # fmt: skip


class Claim(NamedTuple):
    """The claim as a sentence and as parameters."""

    sentence: Text
    meaning: Text
    """What the numbers of the sentence are."""
    rows: tuple[Pair, ...]
    not_a_person: str
    """The unit against a person, for the terms."""


def change(case: Case) -> str:
    """The change between two adjacent corpora in words: adding or removing any one record."""
    is_record = case.losses.unit == "record"
    thing = "any one record" if is_record else "all records of any one user"
    if case.claim.text("adjacency") == "add_drop":
        return f"adding or removing {thing}"
    return f"replacing {thing} by {'another record' if is_record else 'those of another'}"


def _sentence(case: Case) -> Text:
    """Approximate claims speak of sets: each single outcome may have a probability below delta."""
    delta, times = case.claim.number("delta"), factor(case.claim.number("epsilon"))
    outcome = "no set of outcomes" if delta else "no outcome"
    apart = text(", except for a probability of at most ", number(delta)) if delta else ()
    return text(
        f"{sentence(change(case))} makes {outcome} of the release more than {times} times likelier or rarer", apart, "."
    )


def _exactly(case: Case) -> Text:
    """The definition, for whoever wants it."""
    bound = text(var("P"), "(", var("S"), ") ≤ ", power("e", "ε"), "\u00a0", var("P"), "′(", var("S"), ")")
    extra = text(" + δ") if case.claim.number("delta") else ()
    sides = text(", where ", var("P"), " and ", var("P"), "′ belong to two such corpora, in either order")
    return text(bound, extra, " for every set ", var("S"), " of outcomes", sides)


def _other_adjacency(case: Case) -> Text:
    """What the claim says under the other relation: one direction follows, the other does not."""
    claim, thing = case.claim, case.losses.unit
    if claim.text("adjacency") == "replacement":
        return text(f"a {thing} added or removed is not covered: the number of {thing}s is taken as known")
    epsilon, delta = from_add_drop_to_replacement(*_whole(case))
    tail = text(", δ ≤ ", upper(delta)) if delta else ()
    both = ", with the themes" if case.built else ""
    return text(f"a {thing} replaced by another counts as one removed and one added{both}: ε ≤ ", upper(epsilon), tail)


def _whole(case: Case) -> tuple[Fraction, Fraction]:
    """The claim, with the universe's own cost where there is one."""
    own = case.claim.number("epsilon"), case.claim.number("delta")
    return case.exposed if case.built else own


def _universe(case: Case) -> Text:
    """The universe's own cost, and the sum."""
    if case.built is None:
        return ()
    own = built.loss(case.built.epsilon, case.built.delta)
    return text("built from the records: ", own, "; with the release ", built.whole(case.built), f"; {built.APART}")


def _sampling(case: Case) -> Text:
    rate, thing = case.deployment.number("sampling_rate"), case.losses.unit
    if not 0 < rate <= 1:
        raise case.deployment.wrong("sampling_rate", "a share above 0, at most 1")
    if rate == 1:
        return text(f"none: every {thing} is used")
    used = f"a keyed hash of its id decides whether a {thing} is used, {percent(rate)} of them on average"
    return text(used, "; the claim takes no credit for that")


def _missing_ids(case: Case) -> Text:
    """The policy that is claimed, and that of the deployment where it is another."""
    claimed = case.claim.maybe_text("missing_ids")
    declared = case.deployment.maybe_text("on_missing_user")
    shown = MISSING.get(claimed, label(claimed)) if claimed else text("no policy stated")
    return shown if declared in (None, claimed) else text(shown, "; the deployment declares ", code(declared or ""))


def _constants(deployment: Node) -> Text:
    bins = [text(label(node.text("name")), " from ", brief(node.number("from"))) for node in deployment.nodes("bins")]
    rule = " (rule: twice the noise floor)" if deployment.flag("margin_rule") else " (declared)"
    return text(
        "denominator ", number(deployment.number("public_denominator")), "; bins ", joined(bins),
        f"; noise floor {at_most(deployment.number('noise_floor'), 2)}", note(6),
        f"; margin {at_most(deployment.number('margin'), 2)}{rule}",
    )  # fmt: skip


def _parameters(case: Case) -> Text:
    claim, deployment = case.claim, case.deployment
    return text(
        "ε = ", number(claim.number("epsilon")), ", δ = ", number(claim.number("delta")), note(4), ", mass bound B = ",
        number(claim.number("mass_bound")), note(5), f", at most {deployment.count('max_atoms'):,} themes a record, ",
        f"{deployment.count('plan_size'):,} released of {deployment.count('universe_size'):,}",
    )  # fmt: skip


def _declared(deployment: Node) -> Text:
    digest = code(deployment.text("sha256")[:12])
    return text(label(deployment.text("declared_at")), ", before data were read; deployment digest ", digest)


def _rows(case: Case) -> tuple[Pair, ...]:
    claim, deployment = case.claim, case.deployment
    relation = "add/drop" if claim.text("adjacency") == "add_drop" else "replacement"
    fields = joined([code(name) for name in claim.texts("public_fields")])
    rows = (
        ("Exactly", _exactly(case)),
        ("Protected unit", text("one " + case.losses.unit, f", {relation} adjacency", note(3))),
        ("Other adjacency", _other_adjacency(case)),
        ("Missing ids", _missing_ids(case) if case.losses.unit == "user" else ()),
        ("Mechanism", mechanism(claim)),
        ("Calibration", calibration(deployment)),
        ("Parameters", _parameters(case)),
        ("Origin of the themes", _universe(case)),
        ("Sampling", _sampling(case)),
        ("Public constants", _constants(deployment)),
        ("Public fields", fields or text("none")),
        ("Declared", _declared(deployment)),
    )
    return tuple((text(term), words) for term, words in rows if words)


def view(case: Case) -> Claim:
    """The claim in words."""
    meaning = text("The factor is ", power("e", "ε"), ", rounded up.")
    if case.claim.number("delta"):
        meaning = text(
            meaning, " The exception is δ: it is added to what the factor allows, and is nobody’s chance of exposure."
        )
    if case.built:
        meaning = text(meaning, " ", built.remark(case.built))
    thing = "record" if case.losses.unit == "record" else "user id"
    return Claim(
        _sentence(case),
        meaning,
        _rows(case),
        f"A {thing} is not a person: someone with several {thing}s is covered less",
    )


def groups(case: Case) -> Table | None:
    """Cost for one person behind several units: epsilon grows in proportion, the factor as its exponential."""
    epsilon, delta = _whole(case)
    thing = "record" if case.losses.unit == "record" else "user id"
    counts = (Column(str(units), "r", f"{units} {thing}{'s' * (units > 1)}:") for units in GROUPS)
    columns = (Column(f"{sentence(thing)}s of one person", names_row=True), *counts)
    rows = [
        Row((text("ε for that person, at most"), *(upper(epsilon * units) for units in GROUPS))),
        Row((text("likelihood factor, at most"), *(text(factor(epsilon * units)) for units in GROUPS))),
    ]
    grows: Text = ()
    if delta:
        deltas = (group_delta(epsilon, delta, units) for units in GROUPS)
        rows.append(Row((text("δ, at most"), *(upper(most) if most < 1 else text("no limit") for most in deltas))))
        grows = text(
            " For ", var("k"), " of them, δ is multiplied by (", power("e", "kε"), " − 1)/(", power("e", "ε"), " − 1)."
        )
    what = "release and themes together mean" if case.built else "the claim means"
    said = text(f"What {what} for someone with several {thing}s.", grows)
    return table(said, columns, rows, form="stack few whole")
