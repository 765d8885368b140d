"""The bounds hold at their level for every outcome, exactly, and are close to the truth."""

from itertools import product
from math import comb, exp, log

import numpy as np
import pytest

from dpspin_audits.statistics.bounds import (
    Guesses,
    detectable,
    epsilon_at_least,
    rate_allowed,
    rate_at_least,
    rate_at_most,
)

ALPHA = 0.01


def binomial(n, k, p):
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def at_least(n, k, p):
    return sum(binomial(n, j, p) for j in range(k, n + 1))


@pytest.mark.parametrize(("k", "n"), [(1, 10), (7, 10), (10, 10), (30, 200)])
def test_a_rate_at_its_lower_bound_reaches_the_count_with_probability_alpha(k, n):
    assert at_least(n, k, float(rate_at_least(k, n, ALPHA))) == pytest.approx(ALPHA, rel=1e-6)
    assert rate_at_least(0, n, ALPHA) == 0
    assert rate_at_most(n - k, n, ALPHA) == pytest.approx(1 - float(rate_at_least(k, n, ALPHA)))


def false_alarm(epsilon, guessed, bound):
    """Exact probability that `bound` exceeds epsilon for a mechanism that just keeps (epsilon, 0)."""
    rate = rate_allowed(epsilon)
    return sum(binomial(guessed, k, rate) for k in range(guessed + 1) if bound(Guesses(guessed, guessed, k)) > epsilon)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("guessed", [5, 60, 400])
def test_false_alarms_stay_within_alpha_exactly(epsilon, guessed):
    assert false_alarm(epsilon, guessed, lambda found: epsilon_at_least(found, 0.0, ALPHA)) <= ALPHA


def test_a_plugged_in_rate_would_raise_far_more_alarms():
    def plugged_in(found):
        return log(found.right / (found.guessed - found.right)) if 0 < found.right < found.guessed else 0.0

    assert false_alarm(1.0, 60, plugged_in) > 0.3


def trinomial(n, guessed, right, p_right, p_wrong):
    wrong = guessed - right
    return (
        comb(n, guessed) * comb(guessed, right) * p_right**right * p_wrong**wrong
        * (1 - p_right - p_wrong) ** (n - guessed)
    )  # fmt: skip


@pytest.mark.parametrize(("epsilon", "delta", "p_wrong"), [(1.0, 0.05, 0.1), (0.2, 0.2, 0.3), (2.0, 0.01, 0.02)])
def test_false_alarms_with_delta_stay_within_alpha_exactly(epsilon, delta, p_wrong):
    """Worst case: P(right) = e^epsilon P(wrong) + delta, summed over every outcome of 40 runs."""
    n, p_right = 40, exp(epsilon) * p_wrong + delta
    assert p_right + p_wrong <= 1
    outcomes = [(t, k) for t, k in product(range(n + 1), repeat=2) if k <= t]

    def alarm(assumed):
        return sum(
            trinomial(n, t, k, p_right, p_wrong)
            for t, k in outcomes
            if epsilon_at_least(Guesses(n, t, k), assumed, ALPHA) > epsilon
        )

    assert alarm(delta) <= ALPHA
    assert alarm(0.0) > alarm(delta)  # ignoring delta accuses more often


def test_the_bound_is_close_at_a_hundred_thousand_runs():
    guesses = Guesses(100_000, 68_000, round(68_000 * rate_allowed(1.0)))
    assert 0.945 <= epsilon_at_least(guesses, 0.0, 5e-5) <= 1


def test_what_is_called_detectable_is_found_with_the_stated_power():
    guesses = Guesses(500, 300, 200)
    epsilon = detectable(guesses, 1.0, 0.0, ALPHA)
    needed = next(k for k in range(301) if epsilon_at_least(Guesses(500, 300, k), 0.0, ALPHA) > 1.0)
    assert at_least(300, needed, rate_allowed(epsilon)) == pytest.approx(0.9, abs=1e-9)
    assert at_least(300, needed, rate_allowed(epsilon - 0.05)) < 0.9


def test_too_few_guesses_detect_nothing():
    assert detectable(Guesses(10, 3, 3), 1.0, 0.0, ALPHA) is None
    assert detectable(Guesses(10, 0, 0), 1.0, 0.0, ALPHA) is None
    assert epsilon_at_least(Guesses(10, 0, 0), 0.0, ALPHA) == 0
    assert np.isfinite(epsilon_at_least(Guesses(10**6, 10**6, 10**6), 0.0, ALPHA))


def test_delta_allows_a_little_more_and_never_more_than_certainty():
    assert rate_allowed(1.0, 0.0) == rate_allowed(1.0)
    assert rate_allowed(1.0, 0.1) == pytest.approx((np.e + 0.1) / (1 + np.e))
    assert rate_allowed(5.0, 1.0) == 1
