"""Section 8: what is proved about the stated mechanism, statement by statement, and what no theorem covers."""

from dpspin_audits.report.case import Case
from dpspin_audits.report.numerals import counted, sentence, spelled, stopped
from dpspin_audits.report.prose import Text, code, joined, label, status, text
from dpspin_audits.report.tables import Column, Row, Table, table
from dpspin_audits.report.tree import Node

STATEMENTS = (
    Column("Statement, in words", names_row=True),
    Column("In the paper (section)", "", "paper:"),
    Column("Established by", "", "by"),
    Column("Leaves open", "ids", "leaves open:"),
)
OPEN = (
    Column("Gap", "nw", names_row=True),
    Column("Not proved"),
    Column("In its place", "", "in its place:"),
)


def _proofs(case: Case) -> Node | None:
    return case.root.node("proofs") if case.root.has("proofs") else None


def _by(statement: Node) -> Text:
    """Theorems by name, the first two of many, and what is taken from elsewhere."""
    names = statement.texts("theorems")
    shown = [code(name) for name in names[:2]]
    if len(names) > 2:
        shown.append(text(f"{len(names) - 2} more"))
    source = label(statement.text("source"))
    if not shown:
        return text("no theorem; ", source)
    return text(joined(shown), text("; ", source) if source else ())


def statements(case: Case) -> Table | None:
    """The paper's statements, in its order."""
    found = _proofs(case)
    rows = [_statement(node) for node in found.nodes("statements")] if found else []
    caption = "What is proved of the stated mechanism and of the kernel that ran. It is not about other code."
    return table(caption, STATEMENTS, rows)


def _statement(node: Node) -> Row:
    gaps = joined([code(name) for name in node.texts("gaps")])
    place = text(label(node.text("name")), " (", label(node.text("section")), ")")
    return Row((label(node.text("says")), place, _by(node), gaps or text("nothing besides")))


def gaps(case: Case) -> Table | None:
    """What no theorem covers; first what every theorem leaves open."""
    found = _proofs(case)
    nodes = sorted(found.nodes("gaps"), key=lambda node: not node.flag("everywhere")) if found else []
    rows = [_gap(node) for node in nodes]
    everywhere = sum(node.flag("everywhere") for node in nodes)
    first = "The first stays" if everywhere == 1 else f"The first {spelled(everywhere)} stay"
    caption = f"What no theorem covers. {first} open for every statement."
    return table(caption, OPEN, rows)


def _gap(node: Node) -> Row:
    return Row((code(node.text("name")), label(node.text("what")), label(node.text("instead"))))


def conformance(case: Case) -> Text:
    """What agrees with the reference, vector by vector; empty where that was not tried."""
    check = next((check for check in case.checks if check.id == "conformance"), None)
    if check is None or not check.figures.has("vectors"):
        return ()
    figures = check.figures
    total, passed, skipped = (figures.count(name) for name in ("vectors", "passed", "skipped"))
    said = [text(f"{passed:,} of {total:,} vectors are answered as the reference answers them")]
    if skipped:
        steps = joined([code(name) for name in figures.texts("steps_skipped")])
        said.append(text(f"{skipped:,} were skipped, because the implementation does not offer the step: ", steps))
    if failed := figures.count("failed"):
        first = joined([code(name) for name in figures.texts("first")])
        said.append(text(f"{sentence(counted(failed, 'vector is', 'vectors are'))} answered otherwise: ", first))
    return text(*(text(part, ". ") for part in said))


def unanswered(case: Case) -> Text:
    """Why nothing was compared."""
    check = next((check for check in case.checks if check.id == "conformance"), None)
    reason = label(stopped(check.reason or check.summary)) if check else text("No vectors were run.")
    return text(status("not_assessed"), ". ", reason)
