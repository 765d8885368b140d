"""mu is bounded at its level, and delta is the tight one of a Gaussian."""

from math import comb, erf, exp, sqrt

import pytest

from dpspin_audits.statistics.bounds import Guesses
from dpspin_audits.statistics.gaussian_loss import LARGEST_MU, delta_at, delta_at_least, mu_at_least
from dpspin_audits.statistics.guessing import Point, Rule

TELLS = Rule(0.1, "both", Point(0.0, 0.0))


def normal(x):
    return (1 + erf(x / sqrt(2))) / 2


@pytest.mark.parametrize(("epsilon", "mu"), [(0.0, 0.5), (1.0, 1.0), (0.3, 2.0), (5.0, 1.5)])
def test_delta_is_that_of_the_closed_form(epsilon, mu):
    expected = normal(mu / 2 - epsilon / mu) - exp(epsilon) * normal(-mu / 2 - epsilon / mu)
    assert delta_at(epsilon, mu) == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_the_shift_that_keeps_one_and_a_hundred_thousandth():
    assert delta_at(1.0, 0.2680511232114756) == pytest.approx(1e-5, rel=1e-9)  # Balle and Wang 2018, solved by brentq


@pytest.mark.parametrize("mu", [0.2, 1.0, 2.5])
def test_false_alarms_stay_within_alpha_exactly(mu):
    """Every outcome of 60 runs that all guess, right with the best rate that mu allows."""
    rate, n, alpha = normal(mu / 2), 60, 0.05
    beyond = [k for k in range(n + 1) if mu_at_least(TELLS, Guesses(n, n, k), alpha) > mu]
    told = sum(comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in beyond)
    assert 0 < told <= alpha
    assert mu_at_least(TELLS, Guesses(n, n, n), alpha) > mu


def test_the_bound_is_close_where_runs_are_many():
    n = 1_000_000
    found = mu_at_least(TELLS, Guesses(n, n, round(n * normal(0.5))), 0.05)
    assert 0.99 < found < 1.0


def test_one_sided_guesses_count_twice():
    """Guessing one label only, half of what is told is seen."""
    guesses = Guesses(100_000, 30_000, 25_000)
    both, one = (delta_at_least(Rule(0.1, side, Point(0.5, 0.0)), guesses, 0.01) for side in ("both", "with"))
    assert one == pytest.approx(2 * both)


def test_nothing_told_is_nothing_bounded():
    assert mu_at_least(TELLS, Guesses(1000, 1000, 500), 0.05) == 0
    assert mu_at_least(TELLS, Guesses(1000, 0, 0), 0.05) == 0
    assert delta_at_least(TELLS, Guesses(10, 0, 0), 0.05) == 0
    assert mu_at_least(Rule(0.1, "with", Point(0.0, 0.0)), Guesses(10**9, 10**9, 10**9), 0.05) == LARGEST_MU
