"""Section 3: claimed, accounted and measured loss, the second opinion, the charge and the budget."""

from typing import NamedTuple

from dpspin_audits.report import built, curve
from dpspin_audits.report.case import Case
from dpspin_audits.report.marks import Drawing
from dpspin_audits.report.numerals import at_least, brief, inscribed, number, sentence, upper
from dpspin_audits.report.prose import Text, code, label, note, status, text
from dpspin_audits.report.tables import Body, Column, Pair, Row, Table
from dpspin_audits.report.tree import Node

COLUMNS = (
    Column("Loss", names_row=True),
    Column("ε", "r", "ε"),
    Column("δ", "r", "δ"),
    Column("What stands behind it"),
)
NONE = status("not_run")
DEEPEST = 12
"""The scale of delta ends at 10^-12; a pure claim stands on it."""


class Accounting(NamedTuple):
    """Charge, budget and native parameters in rows, and the curve."""

    rows: tuple[Pair, ...]
    native: tuple[Pair, ...]
    drawings: tuple[Drawing, ...]
    said: str
    """What the curve says at the claim."""


def _upper(node: Node, name: Text, basis: Text) -> Row:
    delta = node.number("delta")
    most = text("≤\u00a0", upper(delta)) if delta else text("0")
    return Row((name, text("≤\u00a0", upper(node.number("epsilon"))), most, basis))


def _missing(name: str, why: str) -> Row:
    return Row((text(name), NONE, (), label(why)))


def _accounted(accounting: Node) -> Row:
    node = accounting.maybe_node("accounted")
    if node is None:
        return _missing("Accounted", "no formula was evaluated")
    how = "rounded up" if node.number("delta") else "exact"
    words = text(f"formula for the stated mechanism, {how}: ", label(node.text("theorem")))
    return _upper(node, text("Accounted"), words)


def _measured(case: Case) -> Row:
    if case.losses.measured is None:
        return _missing("Measured", "nothing was measured")
    basis = f"{case.losses.runs:,} runs; smaller is ruled out with {case.losses.confidence} confidence"
    delta = text("at\u00a0", number(case.losses.delta)) if case.losses.delta else ()
    shift = case.root.node("accounting").node("measured").number("mu_at_least")
    normal = f"; as hard to hide as a normal shift of μ ≥\u00a0{at_least(shift, 3)}"
    return Row((text("Measured"), text(f"≥\u00a0{at_least(case.losses.measured, 3)}"), delta, text(basis, normal)))


def _opinion(case: Case) -> Row:
    node = case.root.node("accounting").maybe_node("second_opinion")
    if node is None:
        silent = next((check.reason for check in case.checks if check.id == "accounting.second_opinion"), None)
        return _missing("Second opinion", silent or "no other accountant was asked")
    at_delta = " at the accounted δ" if case.losses.needed else ""
    said = label(node.text("note"))
    basis = text(label(node.text("tool")), " ", label(node.text("version")), f"{at_delta}, ", said)
    return Row((text("Second opinion"), text(brief(node.number("epsilon"))), (), basis))


def _alternative(node: Node, least: Node | None) -> Row:
    """One of several bounds; the accounted one is named."""
    same = least is not None and all(node.number(key) == least.number(key) for key in ("epsilon", "delta"))
    return _upper(node, label(sentence(node.text("name"))), text("accounted" if same else "not the least"))


def _lower(node: Node) -> Row:
    loss, delta = at_least(node.number("epsilon"), 4), number(node.number("delta"))
    name = label(sentence(node.text("name")))
    return Row((name, text(f"≥\u00a0{loss}"), text("at\u00a0", delta), text("no noise as configured can lose less")))


def losses(case: Case) -> Table:
    """One row for each kind of evidence; where the same release has several bounds, these too."""
    accounting = case.root.node("accounting")
    declared = case.deployment.text("declared_at")
    rows = [
        _upper(accounting.node("claimed"), text("Claimed"), text("deployment, declared ", label(declared))),
        *_with_universe(case),
        _accounted(accounting),
        _measured(case),
        _opinion(case),
    ]
    least = accounting.maybe_node("accounted")
    others = [_alternative(node, least) for node in accounting.nodes("alternatives")]
    if lower := accounting.maybe_node("lower"):
        others.append(_lower(lower))
    bodies = [Body("", tuple(rows)), *([Body("Known bounds of the stated mechanism", tuple(others))] if others else [])]
    caption = "Loss by kind of evidence. Bounds from above, except measured: from below."
    return Table(text(caption), COLUMNS, tuple(bodies))


def _with_universe(case: Case) -> list[Row]:
    """What a charged universe costs besides, and the sum."""
    if case.built is None:
        return []
    accounting = case.root.node("accounting")
    together = text("sum of what is claimed and declared: what people are exposed to")
    return [
        _upper(accounting.node("universe"), text("Themes"), text(built.APART)),
        _upper(accounting.node("total"), text("Release and themes"), together),
    ]


def view(case: Case) -> Accounting:
    """Charge, budget and the curve."""
    accounting = case.root.node("accounting")
    charge, budget = accounting.maybe_node("charge"), accounting.node("budget")
    spent = text("none: an audit runs on generated records and charges nothing")
    if charge:
        spent = text(
            code(charge.text("id")), ": ε ", number(charge.number("epsilon")), ", δ ", number(charge.number("delta")),
            " as claimed; a ledger that counts another relation converts it",
        )  # fmt: skip
    allowed = text("ε ", number(budget.number("epsilon")), ", δ ", number(budget.number("delta")))
    rows = (
        (text("Population"), label(case.deployment.text("population"))),
        (text("Charge of this release", note(7)), spent),
        *([(text("Charge of its universe"), built.charged(case.built))] if case.built else []),
        (text("Budget of the population"), allowed),
    )
    found = accounting.maybe_node("curve")
    if found is None or not found.nodes("points"):
        return Accounting(rows, (), (), "")
    figure = _figure(found, case)
    drawings = tuple(curve.drawing(figure, frame, f"curve-{form}") for form, frame in curve.PAGE.items())
    return Accounting(rows, _native(found), drawings, figure.description)


def _native(node: Node) -> tuple[Pair, ...]:
    pure = text("none") if not node.has("pure") else text("ε ≤\u00a0", upper(node.number("pure")))
    return (
        (text("Pure loss"), pure),
        (text("Zero-concentrated"), text("ρ ≤\u00a0", upper(node.number("rho")))),
        (text("Gaussian DP"), text("μ ≤\u00a0", upper(node.number("mu")))),
    )


def _figure(node: Node, case: Case) -> curve.Figure:
    places = tuple(curve.Place(row.number("epsilon"), row.number("delta")) for row in node.nodes("points"))
    claimed = curve.Place(case.losses.claimed, case.losses.delta)
    kind = "exact for its noise" if node.flag("attained") else "an upper bound"
    ends = f"from δ {inscribed(upper(places[0].delta))} at ε 0 to δ {inscribed(upper(places[-1].delta))} at "
    said = f"The curve of the deployment’s own noise, {kind}: {ends}ε {inscribed(upper(places[-1].epsilon))}."
    spot = curve.Spot(claimed, "claimed", other=True)
    return curve.Figure("Privacy curve of one release", "", said, curve.Series("", places), (), (spot,), DEEPEST)
