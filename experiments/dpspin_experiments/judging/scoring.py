"""Questions to a judge that are asked once: each is stored with every attempt, and read back when it is met again.

An answer that cannot be read is a result and is never asked for again beyond its few attempts: whoever asks until an
answer pleases has measured nothing.  Silence of the server is no result; such a question stays open.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from dpspin import canonical
from dpspin.errors import NoAnswerError
from dpspin_experiments.judging import prompts
from dpspin_experiments.judging.answers import Malformed, Model, Preference, Scores, read
from dpspin_experiments.judging.asking import Answerer, Asked, Attempt, ask
from dpspin_experiments.judging.exhibit import AUDIENCE, Duel, Exhibit
from dpspin_experiments.judging.prompts import Messages

SCHEMA = "dpspin-judgement/1"
SILENT = 3
"""Questions in a row without any answer, after which the server is taken to be gone."""

Kept = Callable[[str], Any | None]
Keep = Callable[[str, Mapping[str, Any]], None]


class Judge(NamedTuple):
    """A language model as a judge."""

    answerer: Answerer
    declared: Mapping[str, str]
    """Public settings of the endpoint, as texts; part of every question's key."""


class Bench:
    """Where a judge sits: asks what is not stored yet."""

    def __init__(self, judge: Judge, kept: Kept, keep: Keep) -> None:
        self._judge, self._kept, self._keep = judge, kept, keep
        self._silent = 0
        self.asked = 0
        """Questions asked in this call; the others were stored."""

    def scores(self, exhibit: Exhibit, seed: int) -> Asked[Scores]:
        """Five scores of one text: a function of the exhibit, the seed and the judge."""
        return self._once(prompts.of_scores(exhibit), Scores, seed)

    def preference(self, duel: Duel, seed: int) -> Asked[Preference]:
        """Which of two texts is preferred, by position."""
        return self._once(prompts.of_comparison(duel), Preference, seed)

    def _once(self, messages: Messages, model: type[Model], seed: int) -> Asked[Model]:
        """Raises `NoAnswerError` where the server is taken to be gone; what was answered until then is stored."""
        named = {"messages": list(messages), "judge": self._judge.declared, "seed": seed}
        key = canonical.digest(canonical.dumps(named))[:32]
        found = restored(self._kept(key), model)
        if found is not None and found.answered:
            return found
        asked: Asked[Model] = ask(messages, model, self._judge.answerer, seed)
        self.asked += 1
        self._silent = 0 if asked.answered else self._silent + 1
        before: tuple[Attempt, ...] = found.attempts if found else ()
        whole = Asked(asked.answer, (*before, *asked.attempts))
        self._keep(
            key, {"schema": SCHEMA, "audience": AUDIENCE, **named, "attempts": [_tree(a) for a in whole.attempts]}
        )
        if self._silent >= SILENT:
            raise NoAnswerError()
        return whole


def restored(tree: Any, model: type[Model]) -> Asked[Model] | None:
    """A stored question, its answers read again; None where nothing usable is stored."""
    try:
        rows = tree["attempts"] if tree["schema"] == SCHEMA else None
        attempts = rows and tuple(_attempt(row, model) for row in rows)
    except (KeyError, TypeError, AttributeError):
        return None
    if not attempts:
        return None
    last = attempts[-1]
    answer = None if last.malformed else read(last.text, model)
    return Asked(None if isinstance(answer, Malformed) else answer, attempts)


def _attempt(row: Mapping[str, Any], model: type[Model]) -> Attempt:
    """Read again, so that nothing but what the model said decides."""
    found = Malformed(**row["malformed"]) if row["malformed"] else read(row["text"], model)
    return Attempt(row["text"], found if isinstance(found, Malformed) else None)


def _tree(attempt: Attempt) -> dict[str, Any]:
    text = attempt.text.encode(errors="replace").decode()
    return {"text": text, "malformed": attempt.malformed and attempt.malformed._asdict()}
