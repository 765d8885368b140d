"""Exact samplers against closed forms: every test has a false-alarm rate below 1e-6."""

from fractions import Fraction
from itertools import permutations
from math import exp

import numpy as np
import pytest
from scipy.stats import binom, chi2

from dpspin.curator.noise import SeededBits
from dpspin_audits.zoo import samplers
from dpspin_audits.zoo.gumbel_race import GumbelRace, _in_order

RARE = 1e-7
RUNS = 60_000


def agrees(found, expected):
    """Pearson's test of counts; cells below 20 are put together."""
    big = expected >= 20
    seen, meant = (np.append(x[big], x[~big].sum()) for x in (found, expected))
    seen, meant = (x[meant > 0] for x in (seen, meant))
    return chi2.sf(((seen - meant) ** 2 / meant).sum(), len(meant) - 1) > RARE


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(3, 2), Fraction(7), Fraction(100, 7)])
def test_laplace_and_a_difference_of_geometrics_have_the_same_law(scale):
    q = exp(-1 / scale)
    support = np.arange(-200, 201)
    expected = RUNS * (1 - q) / (1 + q) * q ** np.abs(support)
    bits = SeededBits(b"laplace")
    direct = samplers.laplace_by_rejection(scale, RUNS, bits)
    difference = samplers.geometric(scale, RUNS, bits) - samplers.geometric(scale, RUNS, bits)
    for drawn in (direct, difference):
        assert np.abs(drawn).max() <= 200
        assert agrees(np.bincount(drawn + 200, minlength=401), expected)
    assert not agrees(np.bincount(np.abs(direct) + 200, minlength=401), expected)


@pytest.mark.parametrize(("gap", "per"), [(0, 5), (1, 3), (3, 3), (7, 3), (50, 9)])
def test_a_trial_succeeds_with_probability_exp(gap, per):
    found = int(samplers.survives(np.full(RUNS, gap), per, SeededBits(b"trial")).sum())
    low, high = binom.ppf([RARE, 1 - RARE], RUNS, exp(-gap / per))
    assert low <= found <= high


def test_uniform_integers_are_uniform():
    assert agrees(np.bincount(samplers.below(11, RUNS, SeededBits(b"u")), minlength=11), np.full(11, RUNS / 11))
    assert set(samplers.below(1, 5, SeededBits(b"u"))) == {0}


SCORES, EXPONENT, ROUNDS = [6, 0, 3, 3], Fraction(1, 4), 2


def peeled():
    """The law of two rounds of the exponential mechanism, by order of admission."""
    weights = [exp(score * EXPONENT) for score in SCORES]
    total = sum(weights)
    return {
        (one, two): weights[one] / total * weights[two] / (total - weights[one])
        for one, two in permutations(range(4), 2)
    }


def orders(rows):
    return np.array([int(((rows == order).all(axis=1)).sum()) for order in peeled()])


def test_peeling_by_rejection_has_the_law_of_peeling():
    rows = samplers.peel_by_rejection(SCORES, EXPONENT, (RUNS, ROUNDS), SeededBits(b"peel"))
    assert agrees(orders(rows), RUNS * np.array(list(peeled().values())))


def test_a_gumbel_race_has_the_law_of_peeling(setting_of):
    bits = SeededBits(b"race")
    words = bits.words(RUNS * 4).reshape(RUNS, 4)
    order = GumbelRace(setting_of(mechanism="top_l"))._first(SCORES, EXPONENT, words, bits)
    expected = RUNS * np.array(list(peeled().values()))
    assert agrees(orders(order[:, :ROUNDS]), expected)
    for row in range(200):
        assert _in_order(SCORES, EXPONENT, [int(word) for word in words[row]], bits) == list(order[row])


def test_keys_that_overlap_are_told_apart_by_more_bits():
    words = [0, 2**64 - 1, 5, 5]
    order = _in_order([0, 0, 2, 2], EXPONENT, words, SeededBits(b"more"))
    assert sorted(order) == [0, 1, 2, 3]
    assert order[0] == 1
