"""Section 4: every statistical test with its counts."""

from dpspin_audits.report.case import Case, Check
from dpspin_audits.report.numerals import at_least, at_most, number, upper
from dpspin_audits.report.prose import Text, label, status, text
from dpspin_audits.report.tables import Body, Column, Row, Table
from dpspin_audits.report.tree import Node

COLUMNS = (
    Column("Pair", names_row=True),
    Column("Score"),
    Column("Runs", "r", "runs"),
    Column("Guessed", "r", "guessed"),
    Column("Right", "r", "right"),
    Column("α", "r", "α"),
    Column("Against", "r", "against"),
    Column("ε at least", "r", "ε at least"),
    Column("Detectable", "r", "detectable"),
    Column("Result"),
)


def tests_of(check: Check) -> list[Node]:
    """The tests that a check ran; none where it did not run."""
    return check.figures.nodes("tests") if check.figures.has("tests") else []


def runs_of(check: Check) -> int:
    """The most runs that one of its tests used."""
    return max((node.count("runs") for node in tests_of(check)), default=0)


def _row(check: Check, node: Node) -> Row:
    detectable, found = node.maybe_number("detectable"), node.number("epsilon_at_least")
    promised, delta = node.node("against").number("epsilon"), node.node("against").number("delta")
    broken = check.status == "fail" and found >= promised
    counts: list[Text] = [text(f"{node.count(key):,}") for key in ("runs", "guessed", "right")]
    return Row(
        (
            label(node.text("pair")),
            label(node.text("score")),
            *counts,
            number(node.number("alpha")),
            text("ε\u00a0", upper(promised), text(", δ\u00a0", number(delta)) if delta else ()),
            text(at_least(found, 3)),
            text("–" if detectable is None else at_most(detectable, 2)),
            text("not exceeded") if check.status == "fail" and not broken else status(check.status),
        ),
        hit=broken,
    )


def tests(case: Case) -> Table | None:
    """All tests of the statistical checks, check by check."""
    rows = {check.id: tuple(_row(check, node) for node in tests_of(check)) for check in case.checks}
    bodies = tuple(Body(id_, found) for id_, found in rows.items() if found)
    caption = text("Statistical tests, by check; nothing was repeated after seeing a result.")
    return Table(caption, COLUMNS, bodies) if bodies else None
