"""What passes between a writer and the loop: the prompt, and the attempts so far.  All of it is decoder-visible."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from dpspin import canonical
from dpspin import plan as plans
from dpspin.decoder.verdict import Verdict
from dpspin.plan import SemanticPlan

Mode: TypeAlias = Literal["structured", "legacy_text"]
"""Claims as data, or text that is parsed to claims: weaker, since nothing but the parser keeps other words out."""


class Message(NamedTuple):
    """One turn of a conversation."""

    role: Literal["system", "user"]
    content: str


class Question(NamedTuple):
    """All that a language model is given, beside its key and its server's address."""

    answered_by: str
    """The model, or what stands in for it in an audit."""
    model: str
    temperature: str
    seed: int | None
    max_tokens: int | None
    template: str
    """Digest of the public words around the plan."""
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None
    """JSON Schema that the server is asked to keep to; None where it is not asked."""

    def tree(self) -> dict[str, object]:
        """As the transcript has it."""
        return self._asdict() | {"messages": [message._asdict() for message in self.messages]}


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a writer is given, beside its earlier attempts."""

    number: int
    """Of the attempt, from 1."""
    mode: Mode
    """The form that a draft must have."""
    task: str
    plan: SemanticPlan
    question: Question | None = None
    """What a language model is asked; None for writers that read the plan itself."""

    def encode(self) -> bytes:
        """Canonical JSON for the transcript; the plan stands there itself and is named by its digest."""
        digest = canonical.digest(plans.encode(self.plan))
        tree = {"attempt": self.number, "contract_mode": self.mode, "task": self.task, "plan_sha256": digest}
        return canonical.dumps(tree | ({} if self.question is None else {"question": self.question.tree()}))


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

Asker: TypeAlias = Callable[[Prompt, tuple[Attempt, ...]], Question]
"""What puts a prompt and the verdicts of earlier attempts into a question."""
