"""The first screen: verdict, reason, tally, one picture, who is covered, what to do, what was and was not assessed."""

from typing import NamedTuple

from dpspin_audits.report import built, checks, figures, reasons
from dpspin_audits.report.built import Built
from dpspin_audits.report.case import Case, Check, objects, to_finding, to_section
from dpspin_audits.report.marks import Drawing
from dpspin_audits.report.measurements import runs_of
from dpspin_audits.report.numerals import counted, number, sentence, spelled
from dpspin_audits.report.prose import Text, code, joined, label, link, note, plain, strong, text, var
from dpspin_audits.report.tables import Pair
from dpspin_audits.report.tree import Node
from dpspin_audits.report.vocabulary import protected, worded

MOST_LINES = 8  # lines of each list on the first screen, fewer where more stands above; the rest is linked
FIRST = (
    "hygiene", "accounting.claim", "distribution.ideal", "sensitivity", "noninterference", "proofs", "conformance",
    "contract",
)  # fmt: skip
"""Ids of what a reader should learn first that it was assessed, after the findings; the rest follows as listed."""
LINE = 54  # characters of one line in the two lists
REMEDIES = {
    "error": "Ask why it stopped answering, have that mended, audit again",
    "inconclusive": "Audit again with more runs",
    "not_run": "Give the check what it needs, audit again",
}


class Cover(NamedTuple):
    """Everything above the first section."""

    setting: Text
    status: str
    heading: Text
    stamped: bool
    lead: Text
    required: str
    tally: tuple[tuple[str, int], ...]
    beyond: str
    """Findings of checks that are not required, which the tally leaves out; empty for none."""
    ladder: tuple[Drawing, Drawing]
    caption: Text
    facts: tuple[Pair, ...]
    assessed: tuple[tuple[str, Text], ...]
    """Status and line."""
    unassessed: tuple[tuple[str, Text], ...]


def _not_covered(case: Case) -> Text:
    epsilon, delta = case.exposed
    tail = ", larger δ)" if delta else ")"
    loss = text("(loss up to ", var("k"), "\u00a0×\u00a0", number(epsilon), tail)
    things = "records" if case.losses.unit == "record" else "user ids"
    parts = [text("a person with ", var("k"), f" {things} ", loss)]
    if case.claim.text("adjacency") == "replacement":
        parts.append(text(f"; the number of {case.losses.unit}s"))
    spared = " or in the auxiliary text" if case.deployment.text("provenance") == "auxiliary" else ""
    parts.append(text(f"; people named in others’ records{spared}"))
    if case.losses.outside:
        parts.append(text("; whatever stands in ", joined(objects(case.losses.outside))))
    return text(*parts)


def _cost(case: Case) -> Text:
    accounting = case.root.node("accounting")
    charge = accounting.maybe_node("charge")
    paid = accounting.node("total") if case.built else charge or accounting.node("claimed")
    budget = accounting.node("budget")
    cost = text(
        "ε\u00a0", number(paid.number("epsilon")), " of a budget of ", number(budget.number("epsilon")),
        "; δ\u00a0", number(paid.number("delta")), " of ", number(budget.number("delta")),
    )  # fmt: skip
    tail = text(", charge ", code(charge.text("id"))) if charge else text("; this audit charged nothing")
    return text(_parts(case.built, charge or accounting.node("claimed")), cost, tail)


def _parts(own: Built | None, release: Node) -> Text:
    """What a sum is made of."""
    if own is None:
        return ()
    first = built.loss(release.number("epsilon"), release.number("delta"))
    under = text(", charge ", code(own.charge)) if own.charge else ()
    return text("release ", first, "; its themes ", built.loss(own.epsilon, own.delta), under, "; together ")


def _next(case: Case) -> Text:
    """What the reader should do: mend the first finding, else get the missing answer, else weigh what is missing."""
    if case.findings:
        first, rest = case.findings[0], len(case.findings) - 1
        place = text(to_finding(first, "finding "), text(", ", code(first.place)) if first.place else ())
        remedy = first.remedy or "Mend what the finding names, then audit again"
        return text(label(sentence(remedy.rstrip("."))), " (", place, f"; then {spelled(rest)} more)" if rest else ")")
    silent = [check for check in case.checks if check.required and check.status != "pass"]
    if silent:
        remedy = next((check.remedy for check in silent if check.remedy), REMEDIES[silent[0].status])
        return text(label(sentence(remedy.rstrip("."))), " (", link("checks without an answer", "unanswered"), ")")
    if case.deployment.flag("synthetic"):
        return text("Declare your own deployment and audit it: these records are generated")
    if case.root.has("stamp"):
        return text("Do not rely on this run: remove what the stamp names, then run again")
    return text("Read what was not assessed (", to_section("gaps"), ") and decide whether this use can bear it")


def _facts(case: Case) -> tuple[Pair, ...]:
    return (
        (text("Covered"), text(protected(case.losses.unit, case.claim.text("adjacency")), note(2))),
        (text("Not covered"), _not_covered(case)),
        (text("Cost of this release"), _cost(case)),
        (text("What to do next"), _next(case)),
    )


def _importance(check: Check) -> tuple[bool, int]:
    """Findings first; the sort keeps the order of all others."""
    return check.status != "fail", FIRST.index(check.id) if check.id in FIRST else len(FIRST)


def _assessed(check: Check) -> tuple[str, Text]:
    runs = runs_of(check)
    title = f"{check.subject.title}, {runs:,} runs" if runs else check.subject.title
    if check.finding:
        return "fail", text(f"{title}: ", to_finding(check, "finding "))
    return check.status, text(f"{title} ({worded(check.strength)})")


def _shortened(lines: list[tuple[str, Text]], most: int, section: str) -> tuple[tuple[str, Text], ...]:
    if len(lines) <= most:
        return tuple(lines)
    rest = len(lines) - most + 1
    return (*lines[: most - 1], ("", text(f"and {spelled(rest)} more in ", to_section(section))))


def _unassessed(case: Case) -> list[tuple[str, Text]]:
    """The reason stands beside the name where both fit on a line; section 7 has all reasons."""
    lines = []
    for gap in case.gaps:
        fits = len(plain(text(gap.title, gap.why))) <= LINE
        lines.append((gap.status, text(strong(gap.title), ": ", label(gap.why)) if fits else strong(gap.title)))
    return lines


def _beyond(case: Case) -> str:
    count = sum(not check.required for check in case.findings)
    return f"and {counted(count, 'finding')} of other checks" if count else ""


def _setting(case: Case) -> Text:
    subject = case.root.node("subject")
    kind = "Demonstration on generated records. " if case.deployment.flag("synthetic") else ""
    who = text(" Implementation under audit: ", label(subject.text("name")), ".")
    return text(
        kind, label(case.deployment.text("name")), ", population ", label(case.deployment.text("population")), ".", who
    )


def view(case: Case) -> Cover:
    """The first screen."""
    stamped = case.root.maybe_text("stamp") is not None or bool(case.set_aside)
    required, counts = checks.tally(case)
    above = min(len(case.losses.outside), figures.MOST_OUTSIDE) + stamped + (case.losses.delta > 0)
    answered = [check for check in case.checks if check.answered]
    assessed = [_assessed(check) for check in sorted(answered, key=_importance)]
    return Cover(
        setting=_setting(case),
        status=case.root.text("verdict"),
        heading=reasons.heading(case),
        stamped=stamped,
        lead=reasons.lead(case),
        required=sentence(required),
        tally=counts,
        beyond=_beyond(case),
        ladder=(figures.ladder(case.losses, "fig1", "wide"), figures.ladder(case.losses, "fig1n", "narrow")),
        caption=reasons.caption(case),
        facts=_facts(case),
        assessed=_shortened(assessed, MOST_LINES - above, "checks"),
        unassessed=_shortened(_unassessed(case), MOST_LINES - above, "gaps"),
    )
