"""Sections 7, 9 and 10: what was not assessed, what is assumed, and how to obtain the same figures again."""

from typing import NamedTuple

from dpspin_audits.report.case import Case
from dpspin_audits.report.numerals import counted, sentence, stopped
from dpspin_audits.report.prose import Text, code, label, status, strong, text
from dpspin_audits.report.tables import Column, Pair, Row, Table, table

COLUMNS = (Column("State", "nw"), Column("What", names_row=True), Column("Why"))
PROVENANCE = {
    "public": "are public knowledge, fixed without the records",
    "auxiliary": "were built from auxiliary text, disjoint from the records",
    "charged": "were built from the records, under a charge of their own",
}


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


def assumptions(case: Case) -> tuple[Text, ...]:
    """What the claim rests on and no check can see."""
    deployment = case.deployment
    origin = PROVENANCE.get(deployment.text("provenance"), "are of unknown origin")
    remark = text(" (", label(deployment.text("provenance_note")), ")") if deployment.text("provenance_note") else ()
    spared = " People in that text have no guarantee." if deployment.text("provenance") == "auxiliary" else ""
    date = _aside(f"Declared, {deployment.text('declared_at')}.")
    found = [
        text("ε, the mass bound, bins and margin were chosen before anyone saw the records. ", date),
        text(f"The {deployment.count('universe_size'):,} themes {origin}", remark, ". ", _aside("Declared."), spared),
        text("The operating system’s random generator is unpredictable. ", _aside("Assumed.")),
        text("Running time, memory, swap and logs of the curator’s machine stay inside. ", _aside("Not assessed.")),
    ]
    generated = (
        [text("No record describes a person: the corpus is generated. ", date)] if deployment.flag("synthetic") else []
    )
    return tuple(generated + found)


def _aside(words: str) -> Text:
    """A remark in another voice."""
    return tuple(piece._replace(role="em") if piece.role == "text" else piece for piece in text(words))


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
