"""What passes between a writer and the loop: the prompt, and the attempts so far.  All of it is decoder-visible."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dpspin import canonical
from dpspin import plan as plans
from dpspin.decoder.verdict import Verdict
from dpspin.plan import SemanticPlan

Mode: TypeAlias = Literal["structured", "legacy_text"]
"""Claims as data, or text that is parsed to claims: weaker, since nothing but the parser keeps other words out."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a writer is given, beside its earlier attempts."""

    number: int
    """Of the attempt, from 1."""
    mode: Mode
    """The form that a draft must have."""
    task: str
    plan: SemanticPlan

    def encode(self) -> bytes:
        """Canonical JSON for the transcript; the plan stands there itself and is named by its digest."""
        digest = canonical.digest(plans.encode(self.plan))
        return canonical.dumps(
            {"attempt": self.number, "contract_mode": self.mode, "task": self.task, "plan_sha256": digest}
        )


@dataclass(frozen=True, slots=True)
class Attempt:
    """One draft and what became of it."""

    number: int
    """From 1."""
    prompt: bytes
    text: str
    """The draft, cut where no verifier would read on; empty where there was none."""
    verdict: Verdict
    feedback: bytes
    """Violations as canonical JSON; the writer sees them where the draft was rejected."""


Decoder: TypeAlias = Callable[[Prompt, tuple[Attempt, ...]], str]
"""A writer: from the prompt and all earlier attempts to a draft."""
