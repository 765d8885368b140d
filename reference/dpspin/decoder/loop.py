"""The bounded loop between a writer and the verifier (paper section 4.3, Theorem 5.8).

All that a writer sees is the plan, the task and its own rejected drafts with public feedback; verdicts are functions of
the plan and the drafts.  So everything here is post-processing of the plan, and all of it is kept for the transcript.
"""

from dataclasses import dataclass, replace

from dpspin.decoder import template
from dpspin.decoder.attempts import Asker, Attempt, Decoder, Mode, Prompt
from dpspin.decoder.structured import ClaimReader
from dpspin.decoder.verdict import Verdict, Violation, encode
from dpspin.decoder.verifier import Verifier
from dpspin.errors import ImpossibleError
from dpspin.plan import SemanticPlan

TASKS: dict[Mode, str] = {
    "legacy_text": (
        "Write a summary of the plan in the controlled language. Name released themes only, by their labels; state "
        "only values, bins, ranks, counts and parameters of the plan, and comparisons that reach its margin; add "
        "public texts verbatim; write nothing else."
    ),
    "structured": (
        "Give the claims of a summary of the plan as one JSON object of the schema dpspin-claims/1, in the order in "
        "which they are to be said. Claim about released atoms only, by their index; claim only values, bins, ranks, "
        "counts and parameters of the plan, comparisons that reach its margin, and public texts; write nothing else."
    ),
}
FAILURE = "No summary of this plan could be verified.\n"
"""The public failure marker: published where not even the fallback can be verified, which depends on the plan alone."""
NO_TEXT = Verdict(False, (Violation(0, "no text", (0, 0), None, "the writer failed or gave no text"),), ())
"""For a writer that raises or returns no Unicode string.  Why is not recorded: an error's text might say anything."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The published summary and how it came about."""

    summary: str
    attempts: tuple[Attempt, ...]
    fell_back: bool
    """True where no draft was accepted and the summary is the deterministic fallback, or the failure marker."""


def write(
    plan: SemanticPlan, decoder: Decoder, max_attempts: int, mode: Mode = "legacy_text", ask: Asker | None = None
) -> Outcome:
    """Let a writer try at most `max_attempts` times (R_max), then fall back.

    Args:
        plan: what is put into words.
        decoder: the writer.
        max_attempts: R_max.
        mode: form of its drafts.
        ask: makes the questions of a language model, so that what it is asked is on record before it answers.

    Raises:
        UsageError: where the plan's labels, bins or public texts cannot be told apart.
    """
    verifier = Verifier(plan)  # before the writer runs, so that nothing it does can change the rules
    reader = ClaimReader(plan, verifier) if mode == "structured" else TextReader(verifier)
    attempts: tuple[Attempt, ...] = ()
    for number in range(1, max_attempts + 1):
        prompt = Prompt(number, mode, TASKS[mode], plan)
        if ask is not None:
            prompt = replace(prompt, question=ask(prompt, attempts))
        draft = _draft(decoder, prompt, attempts)
        kept = (draft or "")[: reader.longest + 1]  # step 1 refuses what is cut
        verdict, text = (NO_TEXT, "") if draft is None else reader.judge(kept)
        attempts += (Attempt(number, prompt.encode(), kept, verdict, encode(verdict.violations)),)
        if verdict.accepted:
            return Outcome(text, attempts, fell_back=False)
    return Outcome(fallback(plan), attempts, fell_back=True)


def fallback(plan: SemanticPlan) -> str:
    """What is published where no draft was accepted: a function of the plan alone."""
    try:
        return template.fallback(plan)
    except ImpossibleError:
        return FAILURE


@dataclass(frozen=True, slots=True)
class TextReader:
    """The judge of drafts in text mode: a draft is the text."""

    verifier: Verifier

    @property
    def longest(self) -> int:
        """Most characters of a draft (step 1)."""
        return self.verifier.longest

    def judge(self, draft: str) -> tuple[Verdict, str]:
        """Judge a draft; it is published as it is."""
        return self.verifier.verify(draft), draft


def _draft(decoder: Decoder, prompt: Prompt, attempts: tuple[Attempt, ...]) -> str | None:
    """What the writer returns, if that is a string (no subclass, which may read unlike it is stored) fit for UTF-8."""
    try:
        text = decoder(prompt, attempts)
        return text if type(text) is str and text.encode().decode() == text else None
    except Exception:
        return None
