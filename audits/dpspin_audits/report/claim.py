"""Section 2: the claim in words, and what it means for someone with several units."""

from typing import NamedTuple

from dpspin_audits.report.case import Case
from dpspin_audits.report.numerals import at_most, brief, factor, group_delta, number
from dpspin_audits.report.prose import Text, code, joined, label, note, text
from dpspin_audits.report.tables import Column, Pair, Row, Table, table
from dpspin_audits.report.tree import Node

GROUPS = (1, 2, 5, 10)
MECHANISMS = {
    "laplace": "discrete Laplace noise on every theme, then the highest",
    "gaussian": "rounded Gaussian noise on every theme, then the highest",
    "private_top_l": "admission by the exponential mechanism, then noise on the admitted themes",
}
MISSING = {
    "drop": "a record without an id contributes nothing",
    "own_unit": "a record without an id is a unit of its own",
}


class Claim(NamedTuple):
    """The claim as a sentence and as parameters."""

    change: str
    factor: str
    apart: Text
    """What delta adds to the sentence; empty where it is zero."""
    rows: tuple[Pair, ...]


def _change(case: Case) -> str:
    thing = "one record" if case.losses.unit == "record" else "one user’s records"
    if case.claim.text("adjacency") == "add_drop":
        return f"adding or removing any {thing}"
    return f"replacing any {thing} by {'another record' if case.losses.unit == 'record' else 'those of another'}"


def _mechanism(claim: Node) -> Text:
    kind = claim.maybe_text("mechanism")
    if kind is None:
        return text("not named; only ε and δ are claimed")
    scale = claim.maybe_number("scale")
    size = text("; scale ", number(scale), f" unit{'' if scale == 1 else 's'} of mass") if scale is not None else ()
    return text(code(kind), f": {MECHANISMS[kind]}" if kind in MECHANISMS else "", size)


def _missing_ids(claim: Node) -> Text:
    policy = claim.maybe_text("missing_ids") or "no policy stated"
    return text(MISSING[policy]) if policy in MISSING else label(policy)


def _constants(deployment: Node) -> Text:
    bins = [text(label(node.text("name")), " from ", brief(node.number("from"))) for node in deployment.nodes("bins")]
    rule = " (rule: twice the noise floor)" if deployment.flag("margin_rule") else " (declared)"
    return text(
        "denominator ", number(deployment.number("public_denominator")), "; bins ", joined(bins),
        f"; noise floor {at_most(deployment.number('noise_floor'), 2)}",
        f"; margin {at_most(deployment.number('margin'), 2)}{rule}",
    )  # fmt: skip


def _rows(case: Case) -> tuple[Pair, ...]:
    claim, deployment = case.claim, case.deployment
    relation = "add/drop" if claim.text("adjacency") == "add_drop" else "replacement"
    size = f"at most {deployment.count('max_atoms'):,} themes a record, {deployment.count('plan_size'):,} released of "
    fields = joined([code(name) for name in claim.texts("public_fields")])
    return (
        (text("Protected unit"), text("one " + case.losses.unit, f", {relation} adjacency", note(3))),
        (text("Mechanism"), _mechanism(claim)),
        (
            text("Parameters"),
            text(
                "ε = ", number(claim.number("epsilon")), ", δ = ", number(claim.number("delta")), ", mass bound B = ",
                number(claim.number("mass_bound")), ", ", size, f"{deployment.count('universe_size'):,}",
            ),
        ),
        (text("Missing ids"), _missing_ids(claim)),
        (text("Public constants"), _constants(deployment)),
        (text("Public fields"), fields or text("none")),
        (
            text("Declared"),
            text(
                label(deployment.text("declared_at")), ", before data were read; deployment digest ",
                code(deployment.text("sha256")[:12]),
            ),
        ),
    )  # fmt: skip


def view(case: Case) -> Claim:
    """The claim in words."""
    delta = case.claim.number("delta")
    apart = text(", apart from a probability of at most ", number(delta)) if delta else ()
    return Claim(_change(case), factor(case.claim.number("epsilon")), apart, _rows(case))


def groups(case: Case) -> Table | None:
    """Cost for one person behind several units: epsilon grows in proportion, the factor as its exponential."""
    epsilon, delta = case.claim.number("epsilon"), case.claim.number("delta")
    things = "Records" if case.losses.unit == "record" else "User ids"
    columns = (
        Column(f"{things} of one person", names_row=True),
        *(Column(str(units), "r", f"{units}:") for units in GROUPS),
    )
    rows = [
        Row((text("ε for that person, at most"), *(number(epsilon * units) for units in GROUPS))),
        Row((text("likelihood factor, at most"), *(text(factor(epsilon * units)) for units in GROUPS))),
    ]
    if delta:
        rows.append(Row((text("δ, at most"), *(number(group_delta(epsilon, delta, units)) for units in GROUPS))))
    return table("What the claim means for someone with several of them.", columns, rows, form="few")
