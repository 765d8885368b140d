"""Composition of pure and Gaussian releases: exact binomial sums, an integral, dominance over real laws, fallbacks."""

import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import MPContext

from dpspin.accounting import composition
from dpspin.accounting.certified import tight_delta
from dpspin.accounting.composition import Composition, pure_mu_squared
from dpspin.accounting.laplace import LatticeLaplace
from dpspin.errors import UsageError

CONTEXT = MPContext()
CONTEXT.dps = 40
NONE = Fraction(0)


def real(x):
    return CONTEXT.mpf(x.numerator) / x.denominator


def responses(losses, epsilon):
    """delta of randomised responses side by side, outcome by outcome."""
    total = CONTEXT.mpf(0)
    for signs in product((1, -1), repeat=len(losses)):
        moved, other = CONTEXT.mpf(1), CONTEXT.mpf(1)
        for sign, loss in zip(signs, losses, strict=True):
            right = 1 / (1 + CONTEXT.exp(-real(loss)))
            moved, other = (moved * right, other * (1 - right)) if sign > 0 else (moved * (1 - right), other * right)
        total += max(moved - CONTEXT.exp(real(epsilon)) * other, 0)
    return total


def with_normal(losses, mu_squared, epsilon):
    """The same beside one normal variable, by an integral over its value."""
    mu = math.sqrt(mu_squared)
    grid = np.linspace(-14, 14 + mu, 200_001)
    step = grid[1] - grid[0]
    one, two = (np.exp(-((grid - at) ** 2) / 2) / math.sqrt(2 * math.pi) for at in (mu, 0.0))
    total = 0.0
    for signs in product((1, -1), repeat=len(losses)):
        right = math.prod(1 / (1 + math.exp(-sign * float(loss))) for sign, loss in zip(signs, losses, strict=True))
        wrong = math.prod(1 / (1 + math.exp(sign * float(loss))) for sign, loss in zip(signs, losses, strict=True))
        total += np.maximum(right * one - math.exp(epsilon) * wrong * two, 0).sum() * step
    return total


@settings(max_examples=40)
@given(
    st.lists(st.sampled_from([Fraction(1, 3), Fraction(1), Fraction(2, 5)]), min_size=1, max_size=5),
    st.fractions(0, 3, max_denominator=20),
)  # fmt: skip
def test_pure_releases_are_the_sum_over_their_outcomes(losses, epsilon):
    ends = Composition(tuple(losses), NONE).delta(epsilon)
    truth = responses(losses, epsilon)
    assert real(ends.low) - CONTEXT.mpf(10) ** -35 <= truth <= real(ends.high) + CONTEXT.mpf(10) ** -35
    assert ends.high - ends.low < Fraction(1, 10**40)


def test_a_hundred_equal_releases_cost_what_optimal_composition_gives(monkeypatch):
    """Kairouz, Oh and Viswanath 2015: the binomial sum, in another arithmetic."""
    monkeypatch.setattr(composition, "MOST_OUTCOMES", 128)
    ends = Composition((Fraction(1, 10),) * 100, NONE).delta(Fraction(2))
    right = 1 / (1 + math.exp(-0.1))
    truth = sum(
        math.comb(100, j) * right**j * (1 - right) ** (100 - j) * max(0.0, 1 - math.exp(2 - (2 * j - 100) / 10))
        for j in range(101)
    )
    assert abs(float(ends.low) - truth) < 1e-12


@pytest.mark.parametrize(("losses", "mu_squared", "epsilon"), [
    (("1",), "1", "1/2"), (("1/2", "1/2"), "1/4", "1"), (("1/3", "2"), "2", "0"), ((), "1", "1"),
    (("1",), "1/100", "2"),
])  # fmt: skip
def test_with_gaussian_noise_it_is_the_integral_over_the_normal_variable(losses, mu_squared, epsilon):
    losses = tuple(map(Fraction, losses))
    ends = Composition(losses, Fraction(mu_squared)).delta(Fraction(epsilon))
    assert abs(float(ends.high) - with_normal(losses, float(Fraction(mu_squared)), float(Fraction(epsilon)))) < 1e-7


def test_gaussian_noise_alone_keeps_its_own_curve():
    for epsilon, ratio in ((Fraction(1), Fraction(1, 16)), (Fraction(0), Fraction(3))):
        ends, own = Composition((), ratio).delta(epsilon), tight_delta(epsilon, ratio)
        assert ends.low <= own.high
        assert own.low <= ends.high


@pytest.mark.parametrize("epsilon", ["0", "1/4", "1/2", "3/4", "9/10"])
@pytest.mark.parametrize("coordinates", [1, 2])
def test_laplace_noise_tells_no_more_than_the_responses_that_stand_for_it(epsilon, coordinates):
    noise = LatticeLaplace(8, Fraction(16), coordinates)
    assert noise.delta(Fraction(epsilon)).low <= Composition(noise.losses, NONE).delta(Fraction(epsilon)).high


@pytest.mark.parametrize("loss", ["1/100", "1/10", "1", "4", "20"])
def test_the_normal_variable_that_stands_for_a_pure_loss_tells_at_least_as_much(loss):
    loss = Fraction(loss)
    moved = pure_mu_squared(loss)
    assert abs(CONTEXT.ncdf(-CONTEXT.sqrt(real(moved)) / 2) * (1 + CONTEXT.exp(real(loss))) - 1) < 1e-9
    for part in range(11):
        epsilon = loss * part / 10
        assert Composition((loss,), NONE).delta(epsilon).low <= Composition((), moved).delta(epsilon).high
    less = moved * Fraction(99, 100)
    assert any(
        Composition((loss,), NONE).delta(loss * k / 50).low > Composition((), less).delta(loss * k / 50).high
        for k in range(50)
    )


def test_too_many_outcomes_fall_back_to_a_normal_variable_which_is_larger():
    losses = tuple(Fraction(1, 20 + k) for k in range(8))
    many = Composition(losses, Fraction(1, 50)).delta(Fraction(1, 2))
    moved = sum((pure_mu_squared(loss) for loss in losses), Fraction(1, 50))
    assert many == Composition((), moved).delta(Fraction(1, 2))
    assert with_normal(losses, 1 / 50, 0.5) < float(many.high) < 3 * with_normal(losses, 1 / 50, 0.5)


@pytest.mark.parametrize("loss", ["1025", "1e300"])
def test_a_loss_beyond_all_use_is_refused_and_does_not_hang(loss):
    """The search for its normal variable once never ended: e^-loss fell below the last bit."""
    with pytest.raises(UsageError, match="bounds nothing"):
        pure_mu_squared(Fraction(loss))
    assert pure_mu_squared(Fraction(1000)) > 4 * Fraction(40) ** 2
    assert pure_mu_squared(Fraction(0)) == 0


def test_there_is_a_pure_loss_only_without_gaussian_noise():
    assert Composition((Fraction(1, 3), Fraction(1)), NONE).pure == Fraction(4, 3)
    assert Composition((Fraction(1),), Fraction(1)).pure is None
    assert Composition((NONE,), NONE).delta(NONE) == (0, 0)


@pytest.mark.parametrize(("old", "new"), [
    ("(2 * j - n) * loss", "(n - 2 * j) * loss"), ("(j - n) * loss", "j * loss"), (".power(n)", ".power(n + 1)"),
    ("_normal(epsilon - loss,", "_normal(epsilon + loss,"), ("ONE - exponential(epsilon, BITS) *", "ONE -"),
    ("Counter(loss for loss in self.losses if loss)", "Counter(set(self.losses))"),
])  # fmt: skip
def test_an_altered_sum_is_caught(old, new):
    source = Path(composition.__file__).read_text()
    assert old in source
    module = ModuleType("altered")
    exec(source.replace(old, new), module.__dict__)
    losses = (Fraction(1, 2), Fraction(1, 2), Fraction(1))
    try:
        found = float(module.Composition(losses, Fraction(1)).delta(Fraction(1, 3)).high)
    except (ArithmeticError, ValueError, RecursionError):
        return
    assert abs(found - with_normal(losses, 1.0, 1 / 3)) > 1e-6
