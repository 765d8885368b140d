"""The bounded loop between a writer and the verifier (paper section 4.3, Theorem 5.8).

All that a writer sees is the plan, the task and its own rejected drafts with public feedback; verdicts are functions of
the plan and the drafts.  So everything here is post-processing of the plan, and all of it is kept for the transcript.
"""

from dataclasses import dataclass

from dpspin.decoder import template
from dpspin.decoder.attempts import Attempt, Decoder, Prompt
from dpspin.decoder.verdict import Verdict, Violation, encode
from dpspin.decoder.verifier import Verifier
from dpspin.plan import SemanticPlan

TASK = (
    "Write a summary of the plan in the controlled language. Name released themes only, by their labels; state only "
    "values, bins, ranks, counts and parameters of the plan, and comparisons that reach its margin; add public texts "
    "verbatim; write nothing else."
)
NO_TEXT = Verdict(False, (Violation(0, "no text", (0, 0), None, "the writer failed or gave no text"),), ())
"""For a writer that raises or returns no Unicode string.  Why is not recorded: an error's text might say anything."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The published summary and how it came about."""

    summary: str
    attempts: tuple[Attempt, ...]
    fell_back: bool
    """True where no draft was accepted and the summary is the deterministic fallback."""


def write(plan: SemanticPlan, decoder: Decoder, max_attempts: int) -> Outcome:
    """Let a writer try at most `max_attempts` times (R_max), then fall back.

    Raises:
        UsageError: where the plan's labels, bins or public texts cannot be told apart.
    """
    verifier = Verifier(plan)  # before the writer runs, so that nothing it does can change the rules
    attempts: tuple[Attempt, ...] = ()
    for number in range(1, max_attempts + 1):
        prompt = Prompt(number, TASK, plan)
        draft = _draft(decoder, prompt, attempts)
        text = (draft or "")[: verifier.longest + 1]  # step 1 refuses what is cut
        verdict = NO_TEXT if draft is None else verifier.verify(text)
        attempts += (Attempt(number, prompt.encode(), text, verdict, encode(verdict.violations)),)
        if verdict.accepted:
            return Outcome(text, attempts, fell_back=False)
    return Outcome(template.fallback(plan), attempts, fell_back=True)


def _draft(decoder: Decoder, prompt: Prompt, attempts: tuple[Attempt, ...]) -> str | None:
    """What the writer returns, if that is a string (no subclass, which may read unlike it is stored) fit for UTF-8."""
    try:
        text = decoder(prompt, attempts)
        return text if type(text) is str and text.encode().decode() == text else None
    except Exception:
        return None
