"""Mechanisms that are no semantic plan, judged by the statistics of the audit.

A number, or one of a few answers, is read as a plan: a number is the mass of the one atom that there is, an answer the
atom of its position.  Pilot, training and test runs, labelled guesses and bets are those of
`dpspin_audits.distribution.judgement`.
"""

from fractions import Fraction
from math import log
from typing import NamedTuple

import numpy as np

from dpspin.accounting.gaussian import tight_delta
from dpspin_audits.distribution.judgement import judge
from dpspin_audits.distribution.terms import Terms
from dpspin_audits.distribution.trials import Effort
from dpspin_audits.pairs.adjacent import Pair
from dpspin_audits.pairs.families import Family
from dpspin_audits.reference_subject import Plans
from dpspin_audits.statistics.bounds import rate_at_least, rate_at_most
from dpspin_audits.subject import Claim

ALPHA = 1e-6
"""Probability that one call of `judged` accuses a mechanism that keeps its promise, at most."""
TESTS = 2
"""Rounded outputs and low-order bits; each has half of ALPHA."""
RUNS = Effort(pilot=0, training=6000, testing=12_000)
SEED = b"real libraries"


class Verdict(NamedTuple):
    """What was found on one pair."""

    ideal: float
    """Lower bound on epsilon from outputs without their low-order bits."""
    bits: float
    """The same from low-order bits."""
    refuted: tuple[str, ...]
    """Which of the two exceed the promise."""
    runs: int
    """Test runs."""

    @property
    def least(self):
        """The larger of the two bounds, which hold together with probability 1 - ALPHA."""
        return max(self.ideal, self.bits)


class _Drawn:
    """A subject whose corpora are the name of a side."""

    def __init__(self, claim, draw):
        self.claim, self._draw = claim, draw

    def fresh(self):
        return self

    def release(self, records):
        raise NotImplementedError

    def sample(self, records, runs):
        found = self._draw(records[0]["side"], runs)
        return found if isinstance(found, Plans) else Plans(*found)


def numbers(draw):
    """Plans of one atom from `draw(side, runs)`, an array of numbers [runs, 1]."""
    return lambda side, runs: Plans(np.zeros((runs, 1), np.int64), np.asarray(draw(side, runs), np.float64))


def answers(draw):
    """Plans without masses from `draw(side, runs)`, an array of positions [runs, k]."""

    def plans(side, runs):
        atoms = np.asarray(draw(side, runs), np.int64)
        return Plans(atoms, np.zeros(atoms.shape))

    return plans


def judged(draw, point, *, centres=((0.0,), (1.0,)), atoms=1, scale=1.0, runs=RUNS):
    """Judge a mechanism on a pair of inputs.

    Args:
        draw: `numbers(...)` or `answers(...)`; side 0 is the input without the unit, side 1 the one with it.
        point: epsilon and delta of the promise.
        centres: exact values of the atoms on either side.
        atoms: how many different answers there are.
        scale: typical size of the noise.
        runs: how many runs train and test; both sides together.
    """
    epsilon, delta = (Fraction(number) for number in point)
    claim = Claim("record", "add_drop", Fraction(1), epsilon, delta)
    before, after = (tuple(side) + (0.0,) * (atoms - len(side)) for side in centres)
    pair = Pair("the pair", ({"side": 0},), ({"side": 1},), tuple(range(atoms)), before, after)
    terms = Terms(claim, scale, ALPHA / TESTS, SEED, runs)
    found = judge(Family("the pair", (pair,)), _Drawn(claim, draw), terms)
    tests = {"ideal": found.ideal[0], "bits": found.bits[0]}
    refuted = tuple(name for name, test in tests.items() if test.refutes)
    return Verdict(tests["ideal"].epsilon_at_least, tests["bits"].epsilon_at_least, refuted, found.runs)


def divergence_at_least(left, right, answers, order):
    """Lower bound on the Renyi divergence of an order of two samples of answers; too large with probability ALPHA."""
    each = ALPHA / (2 * answers)
    tallies = [np.bincount(np.ravel(side), minlength=answers) for side in (left, right)]
    low = [float(rate_at_least(count, len(left), each)) for count in tallies[0]]
    high = [rate_at_most(int(count), len(right), each) for count in tallies[1]]
    return log(sum(p**order * q ** (1 - order) for p, q in zip(low, high, strict=True))) / (order - 1)


def gaussian_epsilon(mu, delta):
    """The least epsilon at which a shift by mu of a normal variable is (epsilon, delta)-DP (Balle and Wang 2018)."""
    low, high = 0.0, mu * mu / 2 + 10 * mu + 1
    for _ in range(60):
        middle = (low + high) / 2
        above = float(tight_delta(Fraction(middle), Fraction(mu) ** 2)) > delta
        low, high = (middle, high) if above else (low, middle)
    return high
