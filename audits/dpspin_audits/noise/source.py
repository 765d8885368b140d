"""Sources of noise that an audit puts into a subject; none of them is random.

`Frozen` answers whatever it is asked by targets that do not depend on the values: two releases under it are a coupling
of the real ones, in which noise makes up for every difference.  `Silent` answers by the values themselves.  Both write
down each query: its public part, which must not depend on records, and the exact values.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from operator import index
from typing import Any, Literal, NamedTuple, SupportsIndex

from dpspin.errors import SubjectError
from dpspin_audits.subject import Mass, Scale

Family = Literal["laplace", "gaussian", "peel"]
LEVEL = 64
"""Frozen answers lie about so many noise scales up: noise of that size is as possible as any other."""


class Query(NamedTuple):
    """What was asked, without what it was asked about."""

    family: Family
    label: str
    size: int
    scale: Fraction
    """Of the noise; the exponent of admission."""
    rounds: int
    """Of admission; 0 elsewhere."""


class Asked(NamedTuple):
    """A query, the exact values and the answer."""

    query: Query
    values: tuple[Any, ...]
    answer: tuple[Any, ...]


class _Source:
    """Writes down and answers."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []

    def laplace(self, values: Sequence[Mass], scale: Scale, *, label: str) -> list[Mass]:
        """Values and their answer."""
        return self._noisy("laplace", values, scale, label)

    def gaussian(self, values: Sequence[Mass], sigma: Scale, *, label: str) -> list[Mass]:
        """Values and their answer."""
        return self._noisy("gaussian", values, sigma, label)

    def peel(self, scores: Sequence[Mass], exponent: Scale, rounds: int, *, label: str) -> list[int]:
        """Scores and the positions that are admitted."""
        given = _numbers(scores)
        query = Query("peel", str(label), len(given), _scale(exponent), index(rounds))
        if not 0 <= query.rounds <= len(given):
            raise SubjectError("the subject", f"asked for {rounds} rounds of admission among {len(given)} atoms")
        order = self._order(given)[: query.rounds]
        self.asked.append(Asked(query, tuple(given), tuple(order)))
        return order

    def _noisy(self, family: Family, values: Sequence[Any], scale: Scale, label: str) -> list[Any]:
        given = _numbers(values)
        query = Query(family, str(label), len(given), _scale(scale), 0)
        answer = self._answer(given, query.scale)
        self.asked.append(Asked(query, tuple(given), tuple(answer)))
        return answer

    def _answer(self, values: list[Any], scale: Fraction) -> list[Any]:  # noqa: ARG002 - the frozen source looks
        return values

    def _order(self, scores: list[Any]) -> list[int]:
        return sorted(range(len(scores)), key=lambda at: (-scores[at], at))


class Silent(_Source):
    """No noise: every value is answered by itself, and the highest scores are admitted."""


class Frozen(_Source):
    """Answers that do not depend on the values.

    Args:
        first: positions that admission takes first, and that targets rank first.
        level: how many scales up the targets begin; they descend by one scale, so a level of 1 ends below zero.
    """

    def __init__(self, first: Sequence[int] = (), level: int = LEVEL) -> None:
        super().__init__()
        self._first, self._level = tuple(first), level

    def _answer(self, values: list[Any], scale: Fraction) -> list[Any]:
        ranks = {position: rank for rank, position in enumerate(self._order(values))}
        targets = [(self._level - ranks[position]) * scale for position in range(len(values))]
        whole = all(type(value) is int for value in values)
        return [round(target) if whole else float(target) for target in targets]

    def _order(self, scores: list[Any]) -> list[int]:
        return list(dict.fromkeys([*(at for at in self._first if at < len(scores)), *range(len(scores))]))


def _numbers(values: Sequence[Any]) -> list[Any]:
    """Integers where all are integers, else floats; what is no number stays what it is and is found later."""
    given = list(values)
    if all(isinstance(value, SupportsIndex) and not isinstance(value, bool) for value in given):
        return [index(value) for value in given]
    return [float(value) for value in given]


def _scale(scale: Scale) -> Fraction:
    """The exact scale.

    Raises:
        SubjectError: when it is no positive number.
    """
    finite = isinstance(scale, Fraction) or isfinite(scale)
    if not finite or scale <= 0:
        raise SubjectError("the subject", "asked for noise of a scale that is no positive number")
    return Fraction(scale) if isinstance(scale, int | float | Fraction) else Fraction(float(scale))
