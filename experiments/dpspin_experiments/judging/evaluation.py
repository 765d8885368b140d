"""One evaluation from summaries to results: the rater, and a language model where one is named."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from dpspin_experiments.baselines.methods import WITHOUT_NOISE
from dpspin_experiments.judging import rater
from dpspin_experiments.judging.answers import Scores
from dpspin_experiments.judging.asking import Asked
from dpspin_experiments.judging.duels import Tally, play, tally
from dpspin_experiments.judging.methods import Item
from dpspin_experiments.judging.results import Text
from dpspin_experiments.judging.scoring import Bench
from dpspin_experiments.judging.tables import Row, grouped, judged, rated

ALL = "all of them"
"""Name of the last row of the comparison."""


class Terms(NamedTuple):
    """How the judge is asked."""

    order: bytes
    """Seed of the order in which pairs are asked."""
    longest: int
    """Characters of an exhibit that is shown to the judge at most."""
    tick: Callable[[], None]
    """Called after every question."""


def steps(found: Sequence[Item], longest: int) -> int:
    """How often an evaluation ticks."""
    return sum(_fits(item, longest) + item.noisy for item in found)


def by_rules(found: Sequence[Item]) -> list[Row]:
    """Rows of the rule-based rater."""
    return rated(found, {item.exhibit.id: rater.rate(item.exhibit) for item in found})


def by_model(found: Sequence[Item], bench: Bench, terms: Terms) -> tuple[list[Row], list[Tally]]:
    """Rows of the judge, and its comparisons with the plan without noise.

    Raises:
        NoAnswerError: where the server is taken to be gone; what was answered is stored.
    """
    answers: dict[tuple[str, int], Asked[Scores]] = {}
    for item in found:
        if _fits(item, terms.longest):
            answers[item.exhibit.id, item.seed] = bench.scores(item.exhibit, item.seed)
            terms.tick()
    reference = reference_of(found).exhibit
    pairs = []
    for item in found:
        if item.noisy:
            pairs.append(play(item.method, item.exhibit, reference, (terms.order, item.seed), bench.preference))
            terms.tick()
    names = dict.fromkeys(pair.method for pair in pairs)
    rows = [tally([pair for pair in pairs if pair.method == name], name) for name in names]
    return judged(found, answers), [*rows, tally(pairs, ALL)]


def reference_of(found: Sequence[Item]) -> Item:
    """The plan without noise and its text."""
    return next(item for item in found if item.method == WITHOUT_NOISE)


def texts(found: Sequence[Item]) -> list[Text]:
    """The first summary of each method."""
    return [Text(name, each[0].exhibit.text, each[0].exhibit.id) for name, each in grouped(found).items()]


def _fits(item: Item, longest: int) -> bool:
    return len(item.exhibit.shown().decode()) <= longest
