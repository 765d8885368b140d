"""The epsilon that is proved of Gaussian noise: enough, near the least, and nothing below it passes the comparison."""

from fractions import Fraction

import mpmath
import pytest

from dpspin_proofs import renyi

CASES = [
    (Fraction(1, 36), Fraction(1, 10**6)), (Fraction(1, 2), Fraction(1, 10**9)),
    (Fraction(1, 10**4), Fraction(1, 10**6)), (Fraction(3), Fraction(1, 10**5)), (Fraction(1, 100), Fraction(1, 10**4)),
]  # fmt: skip
"""Losses and deltas."""


def delta_of(order: int, loss: Fraction, epsilon: Fraction) -> mpmath.mpf:
    """k^k / (k + 1)^(k + 1) exp(k (k + 1) loss - k epsilon), as Gaussian.v has it."""
    k, x, e = mpmath.mpf(order), mpmath.mpf(loss.numerator) / loss.denominator, mpmath.mpf(epsilon.numerator)
    return k**k / (k + 1) ** (k + 1) * mpmath.exp(k * (k + 1) * x - k * e / epsilon.denominator)


@pytest.mark.parametrize(("loss", "delta"), CASES)
def test_the_epsilon_is_enough_and_near_the_least_of_all_orders(loss: Fraction, delta: Fraction) -> None:
    found = renyi.least(loss, delta)
    goal = mpmath.mpf(delta.numerator) / delta.denominator
    assert delta_of(found.order, loss, found.epsilon) <= goal
    nearer = found.epsilon * Fraction(24, 25) - Fraction(1, 1000)
    assert nearer <= 0 or all(delta_of(k, loss, nearer) > goal for k in renyi.ORDERS)


@pytest.mark.parametrize(("loss", "delta"), CASES)
def test_the_numbers_are_those_that_coq_compares(loss: Fraction, delta: Fraction) -> None:
    found = renyi.least(loss, delta)
    k, y = found.order, Fraction(found.exponent, renyi.GRID)
    assert found.loss >= loss
    assert y + k * (k + 1) * found.loss <= k * found.epsilon
    assert renyi.proves(k, found.exponent, delta)
    bound = Fraction(k**k, (k + 1) ** (k + 1)) / (1 + y / renyi.PARTS) ** renyi.PARTS
    assert bound <= delta
    assert found.exponent == 0 or not renyi.proves(k, max(found.exponent - 2, 0), delta)
