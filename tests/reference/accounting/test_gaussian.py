"""Gaussian noise: delta to many digits, the smallest sigma, and calibrators in doubles that fall below it."""

import json
import math
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from dpspin.accounting.gaussian import analytic_sigma, classical_sigma, estimate, meets, tight_delta
from dpspin.errors import ImpossibleError, UsageError

GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text())
SIGMAS = [(Fraction(e), Fraction(d), Fraction(s), float.fromhex(h)) for e, d, s, h in GOLDEN["sigma"]]
EXTREMES = [
    (Fraction(2**20), Fraction(1, 10**300)),
    (Fraction(1, 2**20), Fraction(1, 10**300)),
    (Fraction(2**20), 1 - Fraction(1, 10**100)),
    (Fraction(1, 2**20), 1 - Fraction(1, 10**100)),
]


def by_integral(epsilon, ratio):
    """delta as the integral of (p - e^eps q)_+ over the densities: another way than the two tails."""
    mu = mpmath.sqrt(ratio)
    start = mpmath.mpf(epsilon) / mu + mu / 2  # where p = e^eps q, with q centred at 0 and p at mu
    return mpmath.quad(
        lambda x: mpmath.npdf(x, mu) - mpmath.exp(epsilon) * mpmath.npdf(x), [start, start + 2, start + 9, start + 40]
    )


def check_least(sigma, epsilon, delta, l2_squared):
    """sigma is enough and the float below it is not."""
    below = math.nextafter(sigma, 0)
    assert meets(epsilon, l2_squared / Fraction(sigma) ** 2, delta)
    assert not meets(epsilon, l2_squared / Fraction(below) ** 2, delta)


def in_doubles(epsilon, delta, l2_squared):
    """Balle and Wang's bisection with the formula evaluated in binary64, as calibrators in use do it."""
    step, low, high = math.sqrt(l2_squared), 1e-9, 1e9

    def above(sigma):
        half, shift = step / sigma / 2, epsilon * sigma / step
        return ndtr(half - shift) - math.exp(epsilon) * ndtr(-half - shift) > delta

    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) else (low, middle)
    return high


@pytest.mark.parametrize(("epsilon", "sigma", "l2_squared", "delta"), GOLDEN["delta"])
def test_delta_has_the_golden_digits(epsilon, sigma, l2_squared, delta):
    ratio = Fraction(l2_squared) / Fraction(sigma) ** 2
    value, error = estimate(Fraction(epsilon), ratio)
    assert abs(value / mpmath.mpf(delta) - 1) < 1e-15
    with mpmath.workdps(60):
        assert abs(value / mpmath.mpf(delta) - 1) < 1e-38
    assert error < value * mpmath.mpf(10) ** -40


@pytest.mark.parametrize(("epsilon", "ratio"), [(1, 1), (0.5, 0.04), (4, 0.7), (1, 0.0625)])
def test_delta_is_the_integral_of_what_the_densities_exceed(epsilon, ratio):
    value, _ = estimate(Fraction(epsilon), Fraction(ratio))
    with mpmath.workdps(30):
        assert abs(by_integral(epsilon, ratio) / value - 1) < 1e-15


@pytest.mark.parametrize(("epsilon", "delta", "l2_squared", "sigma"), SIGMAS)
def test_sigma_is_the_golden_smallest_float(epsilon, delta, l2_squared, sigma):
    assert analytic_sigma(epsilon, delta, l2_squared) == sigma


def test_there_are_57_golden_floats():
    assert len(SIGMAS) == 57


def test_a_calibrator_in_doubles_falls_below_the_smallest_float():
    short = 0
    for epsilon, delta, l2_squared, sigma in SIGMAS:
        if epsilon < 700:  # e^eps must be a double
            found = in_doubles(float(epsilon), float(delta), float(l2_squared))
            violates = not meets(epsilon, l2_squared / Fraction(found) ** 2, delta)
            assert violates == (found < sigma)
            short += violates
    assert short >= 10


@pytest.mark.parametrize(("epsilon", "delta"), EXTREMES)
def test_decisions_hold_at_the_ends_of_the_range(epsilon, delta):
    check_least(analytic_sigma(epsilon, delta, Fraction(2)), epsilon, delta, Fraction(2))


@settings(max_examples=40, deadline=None)
@given(
    st.fractions(Fraction(1, 2**20), 2**20, max_denominator=2**20),
    st.builds(lambda n, e: Fraction(n, 10**e), st.integers(1, 9), st.integers(1, 60)),
    st.fractions(Fraction(1, 10**6), 10**6, max_denominator=10**6),
)
@example(Fraction(1), Fraction(1, 10**6), Fraction(2) ** 1000)
@example(Fraction(1), Fraction(1, 10**6), Fraction(1, 2**1000))
def test_the_smallest_sigma_is_enough_and_the_float_below_fails(epsilon, delta, l2_squared):
    sigma = analytic_sigma(epsilon, delta, l2_squared)
    check_least(sigma, epsilon, delta, l2_squared)
    for wrong in (math.nextafter(sigma, 0), math.nextafter(sigma, math.inf)):
        with pytest.raises(AssertionError):
            check_least(wrong, epsilon, delta, l2_squared)


@settings(max_examples=50, deadline=None)
@given(
    st.fractions(0, 100, max_denominator=1000),
    st.fractions(Fraction(1, 1000), 100, max_denominator=1000),
)
def test_more_digits_stay_within_the_stated_error(epsilon, ratio):
    coarse, fine = estimate(epsilon, ratio, 20), estimate(epsilon, ratio, 120)
    with mpmath.workdps(150):
        assert abs(coarse.value - fine.value) <= coarse.error
        assert fine.error < coarse.error / mpmath.mpf(10) ** 90


def test_a_claim_that_the_first_digits_cannot_tell_apart_is_decided_with_more():
    epsilon, ratio = Fraction(1), Fraction(1, 16)
    value = estimate(epsilon, ratio, 400).value
    near = Fraction(int(value.context.floor(value * value.context.mpf(10) ** 200)), 10**200)
    assert meets(epsilon, ratio, near + Fraction(1, 10**200))
    assert not meets(epsilon, ratio, near)


def test_a_claim_that_no_digits_tell_apart_is_reported(monkeypatch):
    monkeypatch.setattr("dpspin.accounting.gaussian.MOST_DIGITS", 100)
    value = estimate(Fraction(1), Fraction(1), 400).value
    near = Fraction(int(value.context.floor(value * value.context.mpf(10) ** 300)), 10**300)
    with pytest.raises(ImpossibleError, match="cannot be told"):
        meets(Fraction(1), Fraction(1), near)


@settings(max_examples=50, deadline=None)
@given(st.fractions(0, 20, max_denominator=100), st.fractions(Fraction(1, 4), 100, max_denominator=100))
def test_the_shown_delta_is_rounded_up_by_less_than_a_unit(epsilon, ratio):
    shown = tight_delta(epsilon, ratio)
    assert meets(epsilon, ratio, shown)
    assert not meets(epsilon, ratio, shown * (1 - Fraction(1, 10**8)))
    power = len(str(shown.denominator // shown.numerator))
    assert (shown * 10 ** (power + 9)).denominator == 1


def test_a_delta_that_nobody_claims_is_shown_as_the_least_one():
    assert tight_delta(Fraction(20), Fraction(1, 100)) == Fraction(1, 10**999)


def test_sigma_beyond_the_range_of_floats_is_refused():
    with pytest.raises(UsageError, match="out of the range of binary64"):
        analytic_sigma(Fraction(1), Fraction(1, 10), Fraction(10) ** 700)


@pytest.mark.parametrize("epsilon", [Fraction(n, 20) for n in range(1, 20)])
@pytest.mark.parametrize("delta", ["0.9", "0.1", "1e-5", "1e-9", "1e-300"])
def test_the_classical_rule_is_rounded_up_and_holds_inside_its_range(epsilon, delta):
    delta = Fraction(delta)
    sigma = classical_sigma(epsilon, delta, Fraction(2))
    with mpmath.workdps(80):
        ratio = mpmath.mpf(delta.denominator) / delta.numerator
        rule = mpmath.sqrt(4 * mpmath.log(ratio * 5 / 4)) * epsilon.denominator / epsilon.numerator
        assert math.nextafter(sigma, 0) < rule <= sigma
    assert meets(epsilon, 2 / Fraction(sigma) ** 2, delta)
    assert sigma > analytic_sigma(epsilon, delta, Fraction(2))


@pytest.mark.parametrize("epsilon", ["1", "2", "8.5", "1000"])
def test_the_classical_rule_gives_nothing_outside_its_range(epsilon):
    assert classical_sigma(Fraction(epsilon), Fraction(1, 10**5), Fraction(1)) is None


def test_the_classical_formula_is_false_at_epsilon_8_42_and_delta_1e_5():
    delta = Fraction(1, 10**5)

    def rule(epsilon):
        return meets(epsilon, epsilon**2 / Fraction(2 * math.log(1.25e5)), delta)

    assert rule(Fraction("8.41"))
    assert not rule(Fraction("8.42"))
