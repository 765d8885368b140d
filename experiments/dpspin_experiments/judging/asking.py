"""A question to a judge: few attempts, each a conversation of its own, and all of them kept."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias

from dpspin.errors import NoAnswerError
from dpspin_experiments.judging.answers import NO_ANSWER, Malformed, Model, form, read
from dpspin_experiments.judging.prompts import Messages

ATTEMPTS = 3
"""At most, for one question."""

Answerer: TypeAlias = Callable[[Sequence[Mapping[str, str]], Mapping[str, Any] | None, int], str]
"""A language model: messages, JSON Schema of the answer and a seed of its sampling to an answer.

Raises `NoAnswerError` where there is none.
"""


class Attempt(NamedTuple):
    """One answer and what was wrong with it."""

    text: str
    """As it came; empty where none came."""
    malformed: Malformed | None


class Asked(NamedTuple, Generic[Model]):
    """One question."""

    answer: Model | None
    """None where no attempt could be read."""
    attempts: tuple[Attempt, ...]

    @property
    def answered(self) -> bool:
        """Whether anything came: an answer that cannot be read is a result, silence is none."""
        return any(each.malformed != NO_ANSWER for each in self.attempts)


def ask(messages: Messages, model: type[Model], answerer: Answerer, seed: int) -> Asked[Model]:
    """Ask until an answer can be read, at most `ATTEMPTS` times.

    The question is the same each time: a judge is not told what was wrong, because that would be another question.

    Args:
        messages: the conversation.
        model: form of the answer.
        answerer: the judge.
        seed: of its sampling; every attempt has one of its own.

    Raises:
        UsageError: where the answerer cannot be asked at all.
    """
    schema = form(model)
    attempts: list[Attempt] = []
    for number in range(ATTEMPTS):
        try:
            text = answerer(messages, schema, seed * ATTEMPTS + number)
        except NoAnswerError:
            attempts.append(Attempt("", NO_ANSWER))
            continue
        found = read(text, model)
        if not isinstance(found, Malformed):
            return Asked(found, (*attempts, Attempt(text, None)))
        attempts.append(Attempt(text, found))
    return Asked(None, tuple(attempts))
