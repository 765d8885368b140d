"""Section 3: claimed, accounted and measured loss, the second opinion, the charge and the budget."""

from typing import NamedTuple

from dpspin_audits.report.case import Case
from dpspin_audits.report.numerals import at_least, brief, number
from dpspin_audits.report.prose import Text, code, label, status, text
from dpspin_audits.report.tables import Column, Pair, Row, Table, table
from dpspin_audits.report.tree import Node

COLUMNS = (
    Column("Loss", names_row=True),
    Column("ε", "r", "ε"),
    Column("δ", "r", "δ"),
    Column("What stands behind it"),
)
NONE = status("not_run")


class Accounting(NamedTuple):
    """Charge and budget, in rows."""

    rows: tuple[Pair, ...]


def _upper(node: Node, name: str, basis: Text) -> Row:
    delta = node.number("delta")
    least = text("≤ ", number(delta)) if delta else text("0")
    return Row((text(name), text("≤ ", number(node.number("epsilon"))), least, basis))


def _missing(name: str, why: str) -> Row:
    return Row((text(name), NONE, (), text(why)))


def _accounted(accounting: Node) -> Row:
    node = accounting.maybe_node("accounted")
    if node is None:
        return _missing("Accounted", "no formula was evaluated")
    return _upper(node, "Accounted", text("formula for the stated mechanism, exact: ", label(node.text("theorem"))))


def _measured(case: Case) -> Row:
    if case.losses.measured is None:
        return _missing("Measured", "nothing was measured")
    basis = f"{case.losses.runs:,} runs; smaller is ruled out with {case.losses.confidence} confidence"
    return Row((text("Measured"), text(f"≥ {at_least(case.losses.measured, 3)}"), (), text(basis)))


def _opinion(accounting: Node) -> Row:
    node = accounting.maybe_node("second_opinion")
    if node is None:
        return _missing("Second opinion", "no other accountant was asked")
    basis = text(label(node.text("tool")), " ", label(node.text("version")), "; never the authority")
    return Row((text("Second opinion"), text(brief(node.number("epsilon"))), (), basis))


def losses(case: Case) -> Table | None:
    """One row for each kind of evidence."""
    accounting = case.root.node("accounting")
    declared = case.deployment.text("declared_at")
    rows = [
        _upper(accounting.node("claimed"), "Claimed", text("deployment, declared ", label(declared))),
        _accounted(accounting),
        _measured(case),
        _opinion(accounting),
    ]
    return table("Loss by kind of evidence. Bounds from above, except measured: from below.", COLUMNS, rows)


def view(case: Case) -> Accounting:
    """Charge and budget."""
    accounting = case.root.node("accounting")
    charge, budget = accounting.maybe_node("charge"), accounting.node("budget")
    spent = text("none: an audit runs on generated records and charges nothing")
    if charge:
        spent = text(
            code(charge.text("id")), ": ε ", number(charge.number("epsilon")), ", δ ", number(charge.number("delta"))
        )
    allowed = text("ε ", number(budget.number("epsilon")), ", δ ", number(budget.number("delta")))
    return Accounting(
        (
            (text("Population"), label(case.deployment.text("population"))),
            (text("Charge of this release"), spent),
            (text("Budget of the population"), allowed),
        )
    )
