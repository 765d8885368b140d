"""The first screen: verdict, reason, tally, one picture, who is covered, what to do, what was and was not assessed."""

from typing import NamedTuple

from dpspin_audits.report import checks, figures
from dpspin_audits.report.case import Case, Check, objects, to_finding, to_section
from dpspin_audits.report.marks import Drawing
from dpspin_audits.report.measurements import runs_of
from dpspin_audits.report.numerals import at_least, brief, counted, number, sentence, spelled, stopped
from dpspin_audits.report.prose import Run, Text, code, joined, label, link, note, plain, strong, text
from dpspin_audits.report.tables import Pair
from dpspin_audits.report.vocabulary import protected, worded

MOST_LINES = 8  # lines of each list on the first screen, fewer where the picture is taller; the rest is linked
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
    ladder: tuple[Drawing, Drawing]
    caption: Text
    facts: tuple[Pair, ...]
    assessed: tuple[tuple[str, Text], ...]
    """Status and line."""
    unassessed: tuple[tuple[str, Text], ...]


def verdict(case: Case) -> str:
    """The first sentence of the report, by outcome."""
    outcome, found = case.root.text("verdict"), len(case.findings)
    if outcome == "fail":
        what = "release folder" if case.root.nodes("exposures") else "implementation"
        return f"{sentence(counted(found, 'finding'))}. The claim does not cover this {what} as it stands."
    if outcome == "error":
        return "The implementation stopped answering; the audit is incomplete."
    if outcome == "inconclusive":
        return "No answer yet. The evidence neither contradicts nor supports the claim."
    if outcome == "not_run":
        missing = sum(check.required and check.status == "not_run" for check in case.checks)
        return f"No answer yet. {sentence(counted(missing, 'required check'))} did not run."
    if outcome != "pass":
        raise case.root.wrong("verdict", "one of pass, fail, inconclusive, not_run, error")
    if found:
        return f"No violation found in the required checks. {sentence(counted(found, 'other check'))} failed."
    gaps = len(case.gaps)
    return f"No violation found in what was assessed. {sentence(counted(gaps, 'part'))} {_was(gaps)} not assessed."


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def _measured(case: Case) -> Text:
    """What the measurements say about the claimed epsilon; always names it."""
    losses = case.losses
    claim = text("ε\u00a0=\u00a0", number(losses.claimed), note(1))
    if losses.measured is None:
        return text("The claim ", claim, " was not put to a measurement.")
    if losses.measured > losses.claimed:
        bound = f"the loss is at least {at_least(losses.measured, 2)}, with {losses.confidence} confidence"
        places = [to_finding(check) for check in case.findings if check.subject.section == "measure"]
        return text(
            "Measurement contradicts ", claim, f": {bound}", text(" (", joined(places), ")") if places else (), "."
        )
    subject = "For the released plan, nothing" if case.root.has("plan") else "Nothing"
    return text(f"{subject} we measured contradicts ", claim, ".")


def _accounted(case: Case) -> str:
    losses = case.losses
    if losses.accounted is None:
        return " No formula was evaluated for it."
    same = losses.accounted == losses.claimed
    bound = "the same bound" if same else f"a loss of at most {brief(losses.accounted)}"
    return (
        f" The formula for the stated mechanism gives {bound}; that the code is that mechanism was tested, not proved."
    )


def _found(case: Case) -> list[Text]:
    """The findings beyond what the measurements said: two in words, or one and the number of the rest."""
    told = case.losses.measured is not None and case.losses.measured > case.losses.claimed
    findings = [check for check in case.findings if not (told and check.subject.section == "measure")]
    shown = findings if len(findings) < 3 else findings[:1]
    found = [text(" Finding ", to_finding(check), ": ", label(stopped(check.summary))) for check in shown]
    if len(shown) < len(findings):
        rest = sentence(counted(len(findings) - len(shown), "further finding"))
        found.append(text(f" {rest} stand in ", to_section("checks"), "."))
    return found


def lead(case: Case) -> Text:
    """The verdict's reasons in two or three sentences."""
    silent = sum(check.required and check.status not in ("pass", "fail") for check in case.checks)
    parts: list[str | Text] = [f"Apart from that: {verdict(case)} "] if case.root.has("stamp") else []
    parts += [_measured(case), *_found(case)]
    if silent:
        parts.append(f" {sentence(counted(silent, 'required check'))} gave no answer.")
    if not case.findings and not silent:
        parts.append(_accounted(case))
    return text(*parts)


def _not_covered(case: Case) -> Text:
    loss = text("(loss up to ", (Run("var", "k"),), "\u00a0×\u00a0", number(case.losses.claimed), ")")
    things = "records" if case.losses.unit == "record" else "user ids"
    parts = [
        text("a person with ", (Run("var", "k"),), f" {things} ", loss),
        text("; people named in someone else’s record"),
    ]
    if case.deployment.text("provenance") == "auxiliary":
        parts.append(text("; people in the auxiliary text"))
    if case.losses.outside:
        parts.append(text("; whatever stands in ", joined(objects(case.losses.outside))))
    return text(*parts)


def _cost(case: Case) -> Text:
    accounting = case.root.node("accounting")
    charge = accounting.maybe_node("charge")
    paid = charge or accounting.node("claimed")
    budget = accounting.node("budget")
    cost = text(
        "ε\u00a0", number(paid.number("epsilon")), " of a budget of ", number(budget.number("epsilon")),
        "; δ\u00a0", number(paid.number("delta")), " of ", number(budget.number("delta")),
    )  # fmt: skip
    tail = text(", charge ", code(charge.text("id"))) if charge else text("; this audit charged nothing")
    return text(cost, tail)


def _next(case: Case) -> Text:
    """What the reader should do: mend the first finding, else get the missing answer, else weigh what is missing."""
    if case.findings:
        first, rest = case.findings[0], len(case.findings) - 1
        place = to_finding(first, "finding ")
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


def _caption(case: Case) -> Text:
    losses = case.losses
    if case.root.has("stamp"):
        return text("The stamp above comes first: these bounds are about the mechanism and not about this run.")
    if losses.measured is None or losses.accounted is None:
        return text("What is claimed, and what stands behind it. A lane without a value was not assessed.")
    if losses.measured > losses.accounted:
        return text("The measured loss exceeds what the stated mechanism allows: the code is not that mechanism.")
    return text(
        f"The plan’s loss lies between the measured {at_least(losses.measured, 2)} and the accounted "
        f"{brief(losses.accounted)} (thick on the axis), if the code is the stated mechanism; ",
        to_section("gaps"), " says what ties the two.",
    )  # fmt: skip


def _setting(case: Case) -> Text:
    subject = case.root.node("subject")
    kind = "Demonstration on generated records. " if case.deployment.flag("synthetic") else ""
    who = text(" Implementation under audit: ", label(subject.text("name")), ".")
    return text(
        kind, label(case.deployment.text("name")), ", population ", label(case.deployment.text("population")), ".", who
    )


def view(case: Case) -> Cover:
    """The first screen."""
    stamp = case.root.maybe_text("stamp")
    required, counts = checks.tally(case)
    most = MOST_LINES - min(len(case.losses.outside), figures.MOST_OUTSIDE) - (stamp is not None)
    assessed = [_assessed(check) for check in case.checks if check.answered]
    return Cover(
        setting=_setting(case),
        status=case.root.text("verdict"),
        heading=label(stamp) if stamp else text(verdict(case)),
        stamped=stamp is not None,
        lead=lead(case),
        required=sentence(required),
        tally=counts,
        ladder=(figures.ladder(case.losses, "fig1", "wide"), figures.ladder(case.losses, "fig1n", "narrow")),
        caption=_caption(case),
        facts=_facts(case),
        assessed=_shortened(assessed, most, "checks"),
        unassessed=_shortened(_unassessed(case), most, "gaps"),
    )
