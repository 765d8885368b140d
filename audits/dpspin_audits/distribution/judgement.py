"""One family of pairs, tried on a subject: pilot, training, test.

The pilot picks the candidate with the largest effect, training fixes the rules, and fresh runs are counted; no run
serves two of these for the bound.  Bettors stake on every run that their score was not fitted on.  A judgement is
small, so that families can be tried anywhere and only figures come back.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from dpspin_audits.distribution.bets import LowerBound, settled
from dpspin_audits.distribution.terms import Terms
from dpspin_audits.distribution.trials import Block, Sides, derive, divided, labelled_block, labels
from dpspin_audits.distribution.ways import STATED, Phase, Trial, Way, bits_way, both, rounded_ways, seen_of
from dpspin_audits.distribution.work import Work
from dpspin_audits.pairs.adjacent import Pair
from dpspin_audits.pairs.families import Family
from dpspin_audits.statistics import bounds, guessing, learned
from dpspin_audits.statistics.capital import Capital
from dpspin_audits.statistics.features import Seen
from dpspin_audits.statistics.gaussian_loss import mu_at_least
from dpspin_audits.statistics.guessing import Point
from dpspin_audits.statistics.medians import shift_interval
from dpspin_audits.statistics.sequential import Bettor, Scored
from dpspin_audits.statistics.tradeoff import Tradeoff, tradeoff
from dpspin_audits.subject import BlackBox

PER_FAMILY = 3
"""Tests of a family against the claim: stated law, plans, low-order bits; its curve, its shift and a given score come
on top."""
PILOT_ALPHA = 0.05
"""Level of the bounds that candidates are compared by."""
HALF = 0.5
"""Part of the level of a test that its bound has; its bets have the other."""
BEYOND = (1.5e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3, 1.0)
"""What is added to a claimed epsilon that only bets refute, to say by how much; the first step shows in four places."""
TELLS_MOST = Point(0.0, 0.0)
"""Promise of nothing at all: what is told beyond it is the distance of two outputs, from which mu is bounded."""


class Judgement(NamedTuple):
    """What one family showed."""

    ideal: tuple[LowerBound, ...]
    """Rounded masses, against the claim."""
    bits: tuple[LowerBound, ...]
    """Low-order bits, against the claim."""
    law: tuple[LowerBound, ...]
    """Rounded masses, against the stated law where it promises more than the claim."""
    shift: tuple[float, float] | None
    """Confidence interval for the sum over probed atoms of the shift of their median, in units of mass."""
    runs: int
    crashed: int
    """Runs that gave no plan; they were counted as an output."""
    mu_at_least: float = 0.0
    """Lower bound on mu of Gaussian DP."""
    tradeoff: Tradeoff | None = None
    """The two errors of the most telling score on rounded masses."""


def judge(family: Family, subject: BlackBox, terms: Terms) -> Judgement:
    """Try one family on a subject in this process.

    Raises:
        SubjectError: when the subject breaks the protocol.
    """
    return tried(family, Work(partial(drawn, subject)), terms)


def drawn(subject: BlackBox, block: Block) -> Sides:
    """One block of a subject in this process; see `trials.labelled_block`."""
    return labelled_block(subject, *block)


def tried(family: Family, work: Work, terms: Terms) -> Judgement:
    """Try one family, its blocks wherever `work` draws them.

    Raises:
        SubjectError: when the subject breaks the protocol.
    """
    seed = derive(terms.seed, family.name)
    pair = _strongest(family, work, terms, derive(seed, "pilot"))
    trial = _trial(pair, work, terms, seed)
    tests, testing = _Tests(pair, terms, trial), trial.testing
    ways = sorted(rounded_ways(trial, pair, terms))
    exact = [way for way in ways if way.name == STATED]
    most = tests.told(ways[-1])
    return Judgement(
        tuple(tests.claim(way) for way in ways),
        (tests.claim(bits_way(trial, pair, terms)),),
        tuple(tests.curve(way) for way in exact if terms.curve),
        _shift(testing.sides, testing.exact, terms.alpha) if family.heavy else None,
        testing.sides.runs,
        testing.sides.crashed,
        *most,
    )


def _trial(pair: Pair, work: Work, terms: Terms, seed: bytes) -> Trial:
    """All blocks are asked for before the first one is waited for."""
    asked = {"training": terms.effort.training, "testing": terms.effort.testing}
    begun = {name: work.begin(pair, runs, derive(seed, name)) for name, runs in asked.items()}
    parts = []
    for name, sides in ((name, answer()) for name, answer in begun.items()):
        parts.append((sides, labels(sides, derive(seed, name))))
    return Trial(*(Phase(*part, pair, terms) for part in (*divided(*parts[0]), parts[1])))


def _strongest(family: Family, work: Work, terms: Terms, seed: bytes) -> Pair:
    """The candidate whose pilot runs promise the largest bound; among equals, the one whose masses differ most."""
    if len(family.candidates) == 1 or terms.effort.pilot == 0:
        return family.candidates[0]
    begun = [
        (pair, work.begin(pair, terms.effort.pilot, derive(seed, str(number))))
        for number, pair in enumerate(family.candidates)
    ]
    promises = [_promise(answer(), pair, terms) for pair, answer in begun]
    return family.candidates[promises.index(max(promises))]


def _promise(sides: Sides, pair: Pair, terms: Terms) -> tuple[float, float]:
    """The bound of a learned rule on half of the pilot runs, and the effect on all."""
    fitting, choosing = (seen_of(half, pair, terms.step) for half in sides.halves())
    scores = both(learned.learn(*fitting, terms.noise_scale), choosing)
    rule = guessing.choose(*scores, terms.point, PILOT_ALPHA)
    return bounds.epsilon_at_least(guessing.guess(rule, *scores), rule.delta, PILOT_ALPHA), _effect(sides, pair)


def _effect(sides: Sides, pair: Pair) -> float:
    """The sum of squared standardised differences of mean masses."""
    masses = [seen.mass for seen in seen_of(sides, pair, None)]
    gap = masses[1].mean(axis=0) - masses[0].mean(axis=0)
    return float((gap**2 / (masses[0].var(axis=0) + masses[1].var(axis=0) + 1e-300)).sum())


class _Tests:
    """Tests on one pair: a rule is fixed on the first runs, the second ones are counted."""

    def __init__(self, pair: Pair, terms: Terms, trial: Trial) -> None:
        self._pair, self._terms, self._trial = pair.name, terms, trial
        self._kept: dict[str, list[Scored]] = {}

    def claim(self, way: Way) -> LowerBound:
        """Against the claimed epsilon and delta."""
        choosing = self._scored(way)[1]
        rule = guessing.choose(choosing.without, choosing.with_, self._terms.point, HALF * self._terms.alpha)
        return self._test(way, way.name, rule, [self._terms.point])

    def curve(self, way: Way) -> LowerBound:
        """Against the point of the stated curve that training runs exceed most."""
        choosing = self._scored(way)[1]
        rule = guessing.choose_among(choosing.without, choosing.with_, self._terms.curve)
        return self._test(way, f"{way.name}, whole curve", rule, self._terms.curve)

    def told(self, way: Way) -> tuple[float, Tradeoff]:
        """How much the two corpora differ: a lower bound on mu, and the two errors."""
        _, choosing, testing = self._scored(way)
        rule = guessing.choose_among(choosing.without, choosing.with_, [TELLS_MOST])
        found = guessing.guess(rule, testing.without, testing.with_)
        errors = tradeoff(testing.without, testing.with_, self._terms.alpha)
        return mu_at_least(rule, found, self._terms.alpha), errors

    def _scored(self, way: Way) -> list[Scored]:
        if way.name not in self._kept:
            self._kept[way.name] = [phase.scored(way.score(phase)) for phase in self._trial]
        return self._kept[way.name]

    def _test(self, way: Way, name: str, rule: guessing.Rule, points: Sequence[Point]) -> LowerBound:
        testing, alpha = self._scored(way)[2], HALF * self._terms.alpha
        guesses = guessing.guess(rule, testing.without, testing.with_)
        least = bounds.epsilon_at_least(guesses, rule.delta, alpha)
        found = bounds.detectable(guesses, rule.point.epsilon, rule.delta, alpha)
        bets = settled(self._played(way, points))
        if bets.reached is not None and points == [rule.point] and least <= rule.point.epsilon:
            least = self._won(way, rule.point)
        return LowerBound(self._pair, name, guesses, self._terms.alpha, rule.point, least, found, rule, bets)

    def _played(self, way: Way, points: Sequence[Point]) -> Capital:
        """Bets on every run that the score was not fitted on."""
        bettor = Bettor(points, HALF * self._terms.alpha)
        for phase in self._scored(way)[1:] if way.fitted else self._scored(way):
            for block in phase.blocks():
                bettor.bet(block)
        return bettor.capital

    def _won(self, way: Way, refuted: Point) -> float:
        """The largest epsilon of a grid that bets refute as they do all smaller ones of it.

        It is too large only if the least value of the grid that the subject keeps is refuted: with probability alpha.
        """
        least = refuted.epsilon
        for more in BEYOND:
            if self._played(way, [Point(refuted.epsilon + more, refuted.delta)]).reached is None:
                break
            least = refuted.epsilon + more
        return least


def _shift(testing: Sides, seen: tuple[Seen, Seen], alpha: float) -> tuple[float, float] | None:
    """Sum of the shifts of atoms that every run admitted; atoms that some run left out count from zero upwards."""
    always = seen[0].admitted.all(axis=0) & seen[1].admitted.all(axis=0)
    if testing.crashed or not always.any():
        return None
    each = [
        shift_interval(seen[0].mass[:, atom], seen[1].mass[:, atom], alpha / int(always.sum()))
        for atom in np.flatnonzero(always)
    ]
    return sum(low for low, _ in each), sum(high for _, high in each)
