"""What came out, row by row: means and sample standard deviations, and everything that could not be scored."""

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dpspin_experiments.judging.addressed import addressed, in_object
from dpspin_experiments.judging.answers import DIMENSIONS, Scores, grades
from dpspin_experiments.judging.asking import Asked
from dpspin_experiments.judging.methods import Item


class Stat(NamedTuple):
    """A measure over the scored summaries of one method."""

    mean: float
    sd: float | None
    """Sample standard deviation; None for fewer than two."""
    number: int
    """Of summaries."""


class Row(NamedTuple):
    """One method under one instrument."""

    method: str
    noisy: bool
    summaries: int
    scored: int
    scores: Mapping[str, Stat | None]
    """By dimension; None where nothing was scored."""
    malformed: Mapping[str, int] = {}
    """Answers that could not be read, by kind; those that a later attempt followed are counted, too."""
    unshown: int = 0
    """Summaries that were not shown, because their object is too long."""
    flags: tuple[str, ...] = ()
    """What words of a text speak of to a judge (`addressed`)."""
    object_flags: tuple[str, ...] = ()
    """The same for words inside the objects."""


def stat(values: Iterable[float | None]) -> Stat | None:
    """Mean and sample standard deviation of what is there."""
    found = [value for value in values if value is not None]
    if not found:
        return None
    return Stat(statistics.fmean(found), statistics.stdev(found) if len(found) > 1 else None, len(found))


def grouped(items: Sequence[Item]) -> dict[str, list[Item]]:
    """Items by method, in order."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.method, []).append(item)
    return found


def rated(items: Sequence[Item], ratings: Mapping[str, Mapping[str, float | None]]) -> list[Row]:
    """Rows of the rule-based rater; `ratings` by id of the exhibit."""
    return [
        _row(each, [ratings[item.exhibit.id] for item in each], {}, 0, len(each)) for each in grouped(items).values()
    ]


def judged(items: Sequence[Item], answers: Mapping[tuple[str, int], Asked[Scores]]) -> list[Row]:
    """Rows of a judge; `answers` by id of the exhibit and seed, those that were not shown are not there."""
    rows = []
    for each in grouped(items).values():
        asked = [answers[at] for item in each if (at := (item.exhibit.id, item.seed)) in answers]
        kinds: Counter[str] = Counter(a.malformed.kind for one in asked for a in one.attempts if a.malformed)
        found = [grades(one.answer) for one in asked if one.answer]
        rows.append(_row(each, found, kinds, len(each) - len(asked), len(found)))
    return rows


def _row(
    each: Sequence[Item], found: Sequence[Mapping[str, float | None]], malformed: Mapping[str, int], unshown: int,
    scored: int,
) -> Row:  # fmt: skip
    flags = dict.fromkeys(name for item in each for name in addressed(item.exhibit.text))
    inside = dict.fromkeys(name for item in each for name in in_object(item.exhibit.tree()))
    scores = {name: stat(row[name] for row in found) for name in DIMENSIONS}
    return Row(
        each[0].method, each[0].noisy, len(each), scored, scores, malformed, unshown, tuple(flags), tuple(inside)
    )
