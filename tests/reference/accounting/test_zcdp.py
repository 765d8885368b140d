"""Zero-concentrated privacy: the conversion is certified and near the best one, the round's rho is enough."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpspin.accounting import zcdp
from dpspin.errors import UsageError

CONTEXT = mpmath.MPContext()
CONTEXT.dps = 40
CLAIM = Fraction(1, 10**6)


def best_delta(rho, epsilon):
    """The infimum over alpha, by a fine grid: from above, and near."""
    rho, epsilon = (CONTEXT.mpf(x.numerator) / x.denominator for x in (rho, epsilon))
    logs = []
    for excess in np.exp(np.linspace(-3, 9, 4001)):
        alpha = 1 + CONTEXT.mpf(excess)
        power = (alpha - 1) * (alpha * rho - epsilon) + alpha * CONTEXT.log(1 - 1 / alpha) - CONTEXT.log(alpha - 1)
        logs.append(power)
    return CONTEXT.exp(min(logs))


@pytest.mark.parametrize("rho", ["1/50", "1/3", "4"])
def test_the_conversion_is_the_best_one_rounded_up(rho):
    found = zcdp.epsilon(Fraction(rho), CLAIM)
    assert best_delta(Fraction(rho), found) <= 1.0001e-6
    assert best_delta(Fraction(rho), found * (1 - Fraction(1, 10**4))) > 1e-6


@pytest.mark.parametrize("order", [2, 5, 40])
def test_the_exponent_is_an_upper_bound_and_close(order):
    rho, loss = Fraction(1, 10), Fraction(2)
    alpha = CONTEXT.mpf(order)
    exact = (alpha - 1) * (alpha / 10 - 2) + alpha * CONTEXT.log(1 - 1 / alpha)
    found = zcdp.exponent(rho, loss, Fraction(order))
    assert exact <= CONTEXT.mpf(found.numerator) / found.denominator <= exact + 1e-3


@pytest.mark.parametrize("width", [0.1, 1.0, 3.0])
def test_every_bounded_range_round_keeps_an_eighth_of_its_square(width):
    for t in np.linspace(0.01, 0.99, 25) * width:
        p = (1 - np.exp(t - width)) / (1 - np.exp(-width))
        for alpha in (1.01, 2.0, 10.0):
            moment = p * np.exp((alpha - 1) * t) + (1 - p) * np.exp((alpha - 1) * (t - width))
            assert np.log(moment) / (alpha - 1) <= alpha * width**2 / 8 * (1 + 1e-9)


def test_replacement_doubles_the_range_of_a_round():
    a, ratio = Fraction(1, 10), Fraction(1, 25)
    assert zcdp.rho_of_peeling("add_drop", 10, a, ratio) == 10 * a**2 / 8 + Fraction(1, 50)
    assert zcdp.rho_of_peeling("replacement", 10, a, ratio) == 40 * a**2 / 8 + Fraction(1, 50)


@pytest.mark.parametrize("rho", ["0", "1e-300", "1e300"])
def test_a_rho_that_cannot_be_converted_is_refused(rho):
    with pytest.raises(UsageError, match="too small or too large"):
        zcdp.epsilon(Fraction(rho), CLAIM)
