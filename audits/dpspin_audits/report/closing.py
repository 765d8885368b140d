"""Sections 8 and 13: what was not assessed, and how to obtain the same figures again."""

from typing import NamedTuple

from dpspin_audits.report.case import Case
from dpspin_audits.report.numerals import counted, sentence, stopped
from dpspin_audits.report.prose import Text, code, label, status, strong, text
from dpspin_audits.report.tables import Column, Pair, Row, Table, table

COLUMNS = (Column("State", "nw"), Column("What", names_row=True), Column("Why"))


class Reproduction(NamedTuple):
    """Commands and identities."""

    commands: tuple[Text, ...]
    rows: tuple[Pair, ...]


def proofs(case: Case) -> Text:
    """What was proved about the audited code."""
    check = next((check for check in case.checks if check.id == "proofs"), None)
    if check is None or check.status == "not_run":
        because = text(" ", label(stopped(check.reason))) if check and check.reason else ()
        return text(status("not_run"), " ", strong("This report cites no machine-checked proof."), because)
    return text(status(check.status), " ", label(check.summary))


def gaps(case: Case) -> Table | None:
    """Everything that was not assessed."""
    rows = [Row((status(gap.status), label(gap.what), label(stopped(gap.why)))) for gap in case.gaps]
    caption = f"{sentence(counted(len(rows), 'part'))} that this audit did not assess. None of them counts as a pass."
    return table(caption, COLUMNS, rows)


def reproduction(case: Case, digest: str) -> Reproduction:
    """Each command once, in the order of the checks; digests in full."""
    root, tool = case.root, case.root.node("tool")
    commands = dict.fromkeys(node.text("reproduce") for node in root.nodes("checks") if node.has("reproduce"))
    return Reproduction(
        tuple(code(command) for command in commands),
        (
            (text("Tool"), text(label(tool.text("name")), " ", label(tool.text("version")))),
            (
                text("Subject"),
                text(label(root.node("subject").text("name")), ", ", code(root.node("subject").text("spec"))),
            ),
            (text("Deployment"), code(case.deployment.text("sha256"))),
            (text("Evidence"), code(digest)),
            (
                text("Audit seed"),
                text(
                    code(root.node("seeds").text("audit")),
                    "; it drives coin flips and generated corpora, never the noise of a release",
                ),
            ),
        ),
    )
