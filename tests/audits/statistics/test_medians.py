"""Intervals of medians hold at their level, whatever the law."""

from math import comb

import numpy as np
import pytest

from dpspin_audits.statistics.medians import median_interval, rank_below, shift_interval


def below(n, r):
    return sum(comb(n, j) for j in range(r)) / 2**n


@pytest.mark.parametrize("n", [1, 10, 51, 1000])
@pytest.mark.parametrize("alpha", [0.05, 1e-4])
def test_the_rank_is_the_largest_whose_tail_fits(n, alpha):
    rank = rank_below(n, alpha)
    assert below(n, rank) <= alpha / 2 < below(n, rank + 1)


def test_too_few_values_bound_nothing():
    assert median_interval(np.array([1.0, 2.0]), 0.05) == (-np.inf, np.inf)


@pytest.mark.parametrize("law", ["cauchy", "ties"])
def test_the_interval_misses_the_median_no_more_often_than_alpha(law):
    """2,000 repetitions at alpha .1 miss 200 times at most on average; 271 has probability below 1e-6."""
    coin = np.random.default_rng(4)
    missed = too_narrow = 0
    for _ in range(2000):
        values = coin.standard_cauchy(41) if law == "cauchy" else coin.integers(-1, 2, 41).astype(float)
        low, high = median_interval(values, 0.1)
        missed += not low <= 0 <= high
        ordered = np.sort(values)
        too_narrow += not ordered[18] <= 0 <= ordered[22]
    assert missed <= 271
    assert too_narrow > 271 or law == "ties"  # the check would see an interval that is too narrow


def test_a_shift_is_enclosed_from_both_sides():
    coin = np.random.default_rng(5)
    before, after = coin.laplace(0, 1, 40_000), coin.laplace(1, 1, 40_000)
    low, high = shift_interval(before, after, 1e-6)
    assert 0.9 < low <= 1 <= high < 1.1
    assert shift_interval(after, before, 1e-6) == (low, high)
    assert shift_interval(before, before, 1e-6)[0] == 0
