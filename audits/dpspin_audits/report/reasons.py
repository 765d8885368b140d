"""The verdict in words and the reasons for it, and what the first figure shows."""

from dpspin_audits.report import built
from dpspin_audits.report.case import Case, to_finding, to_section
from dpspin_audits.report.numerals import at_least, counted, number, sentence, stopped, upper
from dpspin_audits.report.prose import Text, joined, label, note, text


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
    gaps = len(case.gaps)
    return f"No violation found in what was assessed. {sentence(counted(gaps, 'part'))} {_was(gaps)} not assessed."


def heading(case: Case) -> Text:
    """The first words of the report: the stamp of a run that must not be relied on, or the verdict."""
    if case.root.has("stamp"):
        return label(case.root.text("stamp"))
    if aside := len(case.set_aside):
        return text(f"Waived: {counted(aside, 'finding')} {_was(aside)} set aside by whoever ordered this audit.")
    return text(verdict(case))


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def _measured(case: Case) -> Text:
    """What the measurements say about the claimed epsilon; always names it."""
    losses = case.losses
    delta = text(", δ\u00a0=\u00a0", number(losses.delta)) if losses.delta else ()
    claim = text("ε\u00a0=\u00a0", number(losses.claimed), note(1), delta)
    if losses.measured is None:
        return text("The claim ", claim, " was not put to a measurement.")
    if losses.measured > losses.claimed:
        bound = f"the loss is at least {at_least(losses.measured, 2)}, with {losses.confidence} confidence"
        places = [to_finding(check) for check in case.findings if check.subject.section == "measure"]
        return text(
            "Measurement contradicts ", claim, f": {bound}", text(" (", joined(places), ")") if places else (), "."
        )
    strange = [to_finding(check) for check in case.findings if check.is_other_law]
    if strange:
        law = text("The masses do not follow the law that was stated (", joined(strange), "); nothing we measured ")
        return text(law, "contradicts ", claim, ", but the formula behind it does not apply.")
    subject = "For the released plan, nothing" if case.root.has("plan") else "Nothing"
    return text(f"{subject} we measured contradicts ", claim, ".")


def _accounted(case: Case) -> Text:
    losses = case.losses
    if losses.accounted is None:
        return text(" No formula was evaluated for it.")
    bound = text("a loss of at most ", upper(losses.accounted))
    if losses.accounted == losses.claimed and not losses.beyond:
        bound = text("the same bound")
    elif losses.needed:
        bound = text(bound, " at δ\u00a0≤\u00a0", upper(losses.needed))
    code_is = "; that the code is that mechanism was tested, not proved."
    return text(" The formula for the stated mechanism gives ", bound, code_is)


def _found(case: Case) -> list[Text]:
    """The findings beyond what the measurements said: two in words, or one and the number of the rest."""
    told = case.losses.measured is not None and case.losses.measured > case.losses.claimed
    findings = [
        check for check in case.findings if not (check.is_other_law or (told and check.subject.section == "measure"))
    ]
    shown = findings if len(findings) < 3 else findings[:1]
    found = [text(" Finding ", to_finding(check), ": ", label(stopped(check.summary))) for check in shown]
    if len(shown) < len(findings):
        rest = sentence(counted(len(findings) - len(shown), "further finding"))
        found.append(text(f" {rest} stand in ", to_section("checks"), "."))
    return found


def lead(case: Case) -> Text:
    """The verdict's reasons in two or three sentences."""
    silent = sum(check.required and check.status not in ("pass", "fail") for check in case.checks)
    parts: list[str | Text] = []
    if case.set_aside:
        parts = [f"The audit itself: {verdict(case)} Waivers stand in ", to_section("assume"), ". "]
    elif case.root.has("stamp"):
        parts = [f"Apart from that: {verdict(case)} "]
    parts += [_measured(case), *_found(case)]
    if silent:
        parts.append(f" {sentence(counted(silent, 'required check'))} gave no answer.")
    if not case.findings and not silent:
        parts.append(_accounted(case))
    if case.built:
        parts += [" ", built.remark(case.built)]
    return text(*parts)


def caption(case: Case) -> Text:
    """How the bounds of the ladder lie to each other, and what stands on none of them."""
    more = text(" No lane holds what the themes cost; with it, ", built.whole(case.built), ".") if case.built else ()
    return text(_lanes(case), more)


def _lanes(case: Case) -> Text:
    losses = case.losses
    if case.root.has("stamp"):
        return text("The stamp above comes first: these bounds are about the mechanism and not about this run.")
    if losses.measured is None or losses.accounted is None:
        return text("What is claimed, and what stands behind it. A lane without a value was not assessed.")
    if not losses.lawful:
        return text("The masses do not follow the stated law: the accounted bound is not about this code.")
    if losses.beyond:
        return text("The stated mechanism needs a larger δ than is claimed; the bounds are not about the same δ.")
    if losses.between is None:
        return text("The measured loss exceeds what the stated mechanism allows: the code is not that mechanism.")
    return text(
        f"The plan’s loss lies between the measured {at_least(losses.measured, 2)} and the accounted ",
        upper(losses.accounted), " (thick on the axis), if the code is the stated mechanism; ", to_section("gaps"),
        " says what ties the two.",
    )  # fmt: skip
