"""The ways to tell two corpora apart, and the runs that they look at."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dpspin_audits.distribution import stated
from dpspin_audits.distribution.terms import Terms
from dpspin_audits.distribution.trials import Coins, Sides
from dpspin_audits.pairs.adjacent import Pair
from dpspin_audits.statistics import given, learned
from dpspin_audits.statistics.features import Floats, Seen, rows, see
from dpspin_audits.statistics.sequential import Scored

STATED, PLANS, GIVEN, BITS = "stated law", "learned from plans", "given score", "learned from low-order bits"


class Phase:
    """Labelled runs that serve one purpose, looked at in every way that a score needs; each way once."""

    def __init__(self, sides: Sides, coins: Coins, pair: Pair, terms: Terms) -> None:
        self.sides, self._coins, self._pair, self._terms = sides, coins, pair, terms

    @cached_property
    def rounded(self) -> tuple[Seen, Seen]:
        """Probed atoms, masses rounded."""
        return seen_of(self.sides, self._pair, self._terms.step)

    @cached_property
    def exact(self) -> tuple[Seen, Seen]:
        """Probed atoms with all bits."""
        return seen_of(self.sides, self._pair, None)

    def given(self, score: given.GivenScore) -> tuple[Floats, Floats]:
        """What somebody else's score says."""
        without, with_ = (given.values(score, draws, self._terms.step) for draws in self.sides)
        return without, with_

    def scored(self, scores: tuple[Floats, Floats]) -> Scored:
        """Scores with the coins."""
        return Scored(*scores, self._coins)


Score = Callable[[Phase], tuple[Floats, Floats]]


class Way(NamedTuple):
    """One way to tell two corpora apart."""

    name: str
    score: Score
    fitted: bool
    """Whether the score was fitted on the first training runs, which are then not bet on."""


class Trial(NamedTuple):
    """The runs of a family: those that scores are fitted on, those that rules are chosen on, those that count."""

    fitting: Phase
    choosing: Phase
    testing: Phase


def seen_of(sides: Sides, pair: Pair, step: float | None) -> tuple[Seen, Seen]:
    """Probed atoms on both corpora, masses rounded to `step` if it is given."""
    return see(sides.without, pair.atoms, step), see(sides.with_, pair.atoms, step)


def rounded_ways(trial: Trial, pair: Pair, terms: Terms) -> Iterator[Way]:
    """Every score on rounded masses."""
    plans = learned.learn(*trial.fitting.rounded, terms.noise_scale)
    yield Way(PLANS, lambda phase: both(plans, phase.rounded), fitted=True)
    if terms.score is not None:
        yours = terms.score
        fitted = learned.fit(*trial.fitting.given(yours))
        yield Way(GIVEN, lambda phase: both(fitted, phase.given(yours)), fitted=True)
    known = stated.score(terms.claim, pair)
    if known is not None:
        yield Way(STATED, lambda phase: both(known, phase.rounded), fitted=False)


def bits_way(trial: Trial, pair: Pair, terms: Terms) -> Way:
    """The score on low-order bits."""
    fitted = learned.learn_bits(*trial.fitting.exact, pair.probed, terms.noise_scale)
    return Way(BITS, lambda phase: both(fitted, phase.exact), fitted=True)


def both(score: Callable[..., Floats], seen: tuple[object, object]) -> tuple[Floats, Floats]:
    """Scores on both corpora."""
    without, with_ = (_scored(score, one) for one in seen)
    return without, with_


def _scored(score: Callable[..., Floats], seen: object) -> Floats:
    """Scores of runs, part by part where they are many."""
    return np.concatenate([score(part) for part in rows(seen)]) if isinstance(seen, Seen) else score(seen)
