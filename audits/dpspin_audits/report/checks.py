"""Section 1: every check with its result, and a block for each finding."""

from typing import NamedTuple

from dpspin_audits.report.case import Case, Check, where
from dpspin_audits.report.numerals import counted, stopped
from dpspin_audits.report.prose import Text, code, label, status, strong, text
from dpspin_audits.report.tables import Body, Column, Pair, Row, Table
from dpspin_audits.report.tree import Node
from dpspin_audits.report.vocabulary import OTHER_LAW, STATUSES, STRENGTHS, worded

COLUMNS = (
    Column("Result"),
    Column("Check", "id", names_row=True),
    Column("What was found"),
    Column("Strength", "nw", "strength:"),
    Column("Where", "nw", "see"),
)

ENDED = {"pass": "passed", "fail": "failed", "inconclusive": "inconclusive", "not_run": "not run", "error": "broke off"}


class Finding(NamedTuple):
    """A violation: what was seen, why it matters, what to do."""

    id: str
    number: str
    title: Text
    rows: tuple[Pair, ...]


class Checks(NamedTuple):
    """What section 1 says besides its table."""

    findings: tuple[Finding, ...]
    unanswered: tuple[Text, ...]
    """Required checks without an answer, and errors and undecided results of the others."""
    accepted: tuple[Text, ...]
    """Waivers with their state, and findings that an earlier audit had; none of them changes the verdict."""


def _row(check: Check) -> Row:
    strength = worded(check.strength) if check.status != "not_run" else "not assessed"
    happened = check.reason if check.status in ("not_run", "error") else None
    found = f"{OTHER_LAW.title}." if check.is_other_law else stopped(happened or check.summary)
    cells = status(check.status), text(check.id), label(found), text(strength), where(check)
    return Row(cells, hit=check.status == "fail")


def table(case: Case) -> Table:
    """All checks, the required ones first."""
    required = [check for check in case.checks if check.required]
    others = [check for check in case.checks if not check.required]
    caption = f"The {counted(len(required), 'required check')}, problems first"
    caption += f"; then {counted(len(others), 'other')}." if others else "."
    bodies = [Body("", tuple(map(_row, required)))]
    if others:
        bodies.append(Body("Others; a finding counts, a missing answer does not", tuple(map(_row, others))))
    return Table(text(caption), COLUMNS, tuple(bodies))


def _finding(check: Check) -> Finding:
    rows = [
        (text("Check"), text(status("fail"), " ", code(check.id), f", {worded(check.strength)}")),
    ]
    if check.reason:
        rows.append((text("Seen"), label(stopped(check.reason))))
    rows.append((text("Why it matters"), text(OTHER_LAW.why if check.is_other_law else check.subject.why)))
    if check.place:
        rows.append((text("Where"), code(check.place)))
    if check.remedy:
        rows.append((text("What to do"), label(stopped(check.remedy))))
    if check.reproduce:
        rows.append((text("Reproduce"), code(check.reproduce)))
    title = text(OTHER_LAW.title) if check.is_other_law else label(check.summary.rstrip("."))
    return Finding(f"f{check.finding}", f"F{check.finding}", title, tuple(rows))


def _unanswered(check: Check) -> Text:
    remedy = text(" ", label(stopped(check.remedy))) if check.remedy else ()
    reason = label(stopped(check.reason or check.summary))
    return text(status(check.status), " ", strong(f"{check.subject.title}."), " ", reason, remedy)


def view(case: Case) -> Checks:
    """Findings, checks without an answer, and what was accepted."""
    without = [
        check
        for check in case.checks
        if check.status in ("error", "inconclusive") or (check.required and check.status == "not_run")
    ]
    return Checks(tuple(map(_finding, case.findings)), tuple(map(_unanswered, without)), accepted(case))


def accepted(case: Case) -> tuple[Text, ...]:
    """Waivers with their state, known findings of a baseline, and how the gate ended."""
    gate = case.root.node("gate") if case.root.has("gate") else None
    if gate is None:
        return ()
    waived = (
        text(
            "Waiver of ", code(row.text("check")), ", ", strong(row.text("state")), ": ",
            label(stopped(row.text("reason"))), " Approved by ", label(row.text("approver")),
            f", until {row.text('expires')}.",
        )
        for row in gate.nodes("waivers")
    )  # fmt: skip
    known = (text("Known finding of the baseline: ", code(name), ".") for name in gate.texts("known"))
    ended = ENDED[gate.text("verdict")]
    return *waived, *known, text(f"With these set aside, the gate {ended}. The verdict of the audit stands as above.")


def bearing(case: Case) -> dict[str, tuple[Pair, ...]]:
    """By section: the checks that are about what it says, each with its result and its strength."""
    found: dict[str, list[Pair]] = {}
    for check in case.checks:
        strength = f" ({worded(check.strength)})" if check.status != "not_run" else ""
        happened = check.reason if check.status in ("not_run", "error") else None
        said = text(status(check.status), f"{strength}: ", label(stopped(happened or check.summary)))
        found.setdefault(check.subject.section, []).append((text(check.subject.title), said))
    return {section: tuple(rows) for section, rows in found.items()}


def tally(case: Case) -> tuple[str, tuple[tuple[str, int], ...]]:
    """The number of required checks in words, and how many of them have each status, passes first."""
    required = [check.status for check in case.checks if check.required]
    counts = [(name, required.count(name)) for name in ("pass", "fail", "inconclusive", "not_run", "error")]
    return counted(len(required), "required check"), tuple((name, count) for name, count in counts if count)


def strengths(case: Case) -> tuple[tuple[str, str, str], ...]:
    """Each strength, what it means, and how many checks of it ended how."""
    found = case.root.node("strengths")
    return tuple((name, meaning, _ended(found, name.replace(" ", "_"))) for name, meaning in STRENGTHS)


def _ended(strengths: Node, name: str) -> str:
    found = strengths.maybe_node(name) if strengths.has(name) else None
    if found is None:
        return "no check"
    counts = [(status, found.count(status)) for status in STATUSES if found.has(status)]
    return ", ".join(f"{count} {ENDED[status]}" for status, count in counts)
