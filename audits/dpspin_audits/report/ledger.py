"""Section 6: everything that a reader or the decoder can see, in order, and what covers it."""

from dpspin_audits.report.case import Case, is_covered, to_finding
from dpspin_audits.report.prose import Text, code, joined, status, strong, text
from dpspin_audits.report.tables import Column, Row, Table, table
from dpspin_audits.report.tree import Node

COLUMNS = (
    Column("No.", "r", "object"),
    Column("Object", "id", names_row=True),
    Column("Role", "nw"),
    Column("Covered by"),
    Column("Bytes", "r", "bytes"),
    Column("sha256", "mono", "sha256"),
    Column("Chain", "mono", "chain"),
)


def _cover(case: Case, exposure: Node, *, covered: bool) -> Text:
    if not covered:
        found = [check for check in case.findings if check.id == "hygiene"]
        links = joined([to_finding(check) for check in found])
        return text(strong("nothing"), "; see ", links) if links else strong("nothing")
    if exposure.text("role") == "public":
        return text("fixed before data")
    parts = [text("objects above")] if exposure.text("role") == "post-processing" else []
    if exposure.has("charge"):
        parts.append(text("charge ", code(exposure.text("charge"))))
    return joined(parts, ", ") or text("no charge: generated records")


def _row(case: Case, exposure: Node) -> Row:
    covered = is_covered(exposure, synthetic=case.deployment.flag("synthetic"))
    order = f"{exposure.count('order'):,}" if exposure.has("order") else "·"
    chain = exposure.text("chain")[-8:] if exposure.has("chain") else "·"
    return Row(
        (
            text(order),
            code(exposure.text("name")),
            text(exposure.text("role")) if covered else status("fail"),
            _cover(case, exposure, covered=covered),
            text(f"{exposure.count('bytes'):,}"),
            code(exposure.text("sha256")[:12]),
            code(chain),
        ),
        hit=not covered,
    )


def objects(case: Case) -> Table | None:
    """All exposures in order."""
    rows = [_row(case, exposure) for exposure in case.root.nodes("exposures")]
    return table("Objects that leave the curator, in order.", COLUMNS, rows, form="stack dense")


def digests(case: Case) -> tuple[tuple[str, Text], ...]:
    """Full digests and names."""
    return tuple((node.text("sha256"), code(node.text("name"))) for node in case.root.nodes("exposures"))
