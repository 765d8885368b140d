"""One bettor: a score, what is promised, and a rule that is mended between blocks of runs.

A block is bet on with the rule that earlier blocks recommend, and only then looked at; so every bet was made before its
runs, as `capital` needs, and every run is both bet on and learned from.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin_audits.statistics.capital import Capital, Outcomes, recommended
from dpspin_audits.statistics.guessing import Floats, Point, Rule, choose_among, excess, guess

LEARNED_FROM = 500_000
"""Runs that a rule is chosen on; later runs are only bet on."""
FIRST = 0.99
"""Share of the promised epsilon that a log-likelihood ratio must reach to be a guess, before anything was learned."""
PLACE = 5
"""The first bet on a curve is at its point of index length // PLACE; for a Gaussian one that is about the best."""
BETTER = 4.0
"""A rule is kept until another one exceeds the promise by so many standard errors more: chosen anew for each block, it
would follow the noise of the last one."""
FIRST_BLOCK, GROWTH = 500, 1.5


class Scored(NamedTuple):
    """Scores of labelled runs."""

    without: Floats
    with_: Floats
    labels: npt.NDArray[np.bool_]
    """bool[runs]: the coin of every run in order; True is a run on the corpus with the unit."""

    def blocks(self, first: int = FIRST_BLOCK) -> Iterator["Scored"]:
        """The same runs in order, in blocks that grow from `first`."""
        start, size, ones = 0, float(first), np.concatenate([[0], np.cumsum(self.labels)])
        while start < len(self.labels):
            stop = min(start + int(size), len(self.labels))
            low, high = int(ones[start]), int(ones[stop])
            yield Scored(self.without[start - low : stop - high], self.with_[low:high], self.labels[start:stop])
            start, size = stop, size * GROWTH


def outcomes(rule: Rule, scored: Scored) -> Outcomes:
    """What a rule does run by run."""
    scores = np.empty(len(scored.labels))
    scores[scored.labels], scores[~scored.labels] = scored.with_, scored.without
    says_with = (scores >= rule.threshold) & (rule.side != "without")
    says_without = (scores <= -rule.threshold) & (rule.side != "with")
    said = says_with.astype(np.int8) - says_without.astype(np.int8)
    return np.where(scored.labels, said, -said)


class Bettor:
    """Bets with one score against the point of a curve that earlier runs exceed most."""

    def __init__(self, points: Sequence[Point], alpha: float) -> None:
        """Points: what is promised, one or a curve; alpha: level of the test."""
        self.capital = Capital(alpha)
        self._points = points
        point = points[len(points) // PLACE]
        self.rule = Rule(max(FIRST * point.epsilon, 0.01), "both", point)
        """The rule of the next block."""
        self._stake = 0.0
        self._past: list[tuple[Floats, Floats]] = []

    def bet(self, scored: Scored) -> None:
        """Bet on a block, then learn from it."""
        self.capital.play(self.rule, self._stake, outcomes(self.rule, scored))
        self._learn(scored.without, scored.with_, BETTER)

    def start(self, without: Floats, with_: Floats) -> None:
        """Learn from runs of another kind than will be bet on, or by another score than so far: begin anew."""
        self._past = []
        self._learn(without, with_, -np.inf)

    def _learn(self, without: Floats, with_: Floats, better: float) -> None:
        if sum(len(side) for block in self._past for side in block) >= LEARNED_FROM or not len(without) + len(with_):
            return
        self._past.append((without, with_))
        runs = [np.concatenate(side) for side in zip(*self._past, strict=True)]
        other, now = choose_among(runs[0], runs[1], self._points), guess(self.rule, *runs)
        if excess(other, guess(other, *runs)) > excess(self.rule, now) + better:
            self.rule = other
        self._stake = recommended(self.rule, guess(self.rule, *runs))
