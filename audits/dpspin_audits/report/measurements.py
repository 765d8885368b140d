"""Section 4: every statistical test with its counts."""

from dpspin_audits.report.case import Case, Check
from dpspin_audits.report.numerals import at_least, at_most, number
from dpspin_audits.report.prose import Text, label, status, text
from dpspin_audits.report.tables import Column, Row, Table, table
from dpspin_audits.report.tree import Node

COLUMNS = (
    Column("Check", "id", names_row=True),
    Column("Pair"),
    Column("Score"),
    Column("Runs", "r", "runs"),
    Column("Guessed", "r", "guessed"),
    Column("Right", "r", "right"),
    Column("α", "r", "α"),
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
    detectable = node.maybe_number("detectable")
    counts: list[Text] = [text(f"{node.count(key):,}") for key in ("runs", "guessed", "right")]
    return Row(
        (
            text(check.id),
            label(node.text("pair")),
            label(node.text("score")),
            *counts,
            number(node.number("alpha")),
            text(at_least(node.number("epsilon_at_least"), 3)),
            text("–" if detectable is None else at_most(detectable, 2)),
            status(check.status),
        ),
        hit=check.status == "fail",
    )


def tests(case: Case) -> Table | None:
    """All tests of the statistical checks."""
    rows = [_row(check, node) for check in case.checks for node in tests_of(check)]
    return table("Statistical tests; nothing was repeated after seeing a result.", COLUMNS, rows)
