"""The discrete Gaussian's own sum: golden digits, both verdicts against continuous noise, and its bounds."""

import json
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest
from mpmath import MPContext

from dpspin.accounting import discrete_gaussian
from dpspin.accounting.certified import least, tight_delta
from dpspin.accounting.discrete_gaussian import discrete_delta
from dpspin.errors import UsageError

GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text())["discrete_gaussian"]
CONTEXT = MPContext()
CONTEXT.dps = 60


def real(x):
    return CONTEXT.mpf(x.numerator) / x.denominator


@pytest.mark.parametrize(("epsilon", "variance", "shift", "delta"), GOLDEN)
def test_delta_has_the_golden_digits(epsilon, variance, shift, delta):
    ends = discrete_delta(Fraction(epsilon), int(shift), Fraction(variance))
    golden = CONTEXT.mpf(delta)
    assert real(ends.low) <= golden * (1 + CONTEXT.mpf(10) ** -38)
    assert golden * (1 - CONTEXT.mpf(10) ** -38) <= real(ends.high)
    assert ends.high - ends.low < ends.high / 10**12


def summed(epsilon, shift, variance):
    """delta as the sum over every point within 16 sigma."""
    edge = int(16 * variance ** Fraction(1, 2)) + shift + 3
    law = {k: CONTEXT.exp(-(CONTEXT.mpf(k) ** 2) / (2 * real(variance))) for k in range(-edge - shift, edge + 1)}
    total = sum(law.values())
    loss = CONTEXT.exp(real(epsilon))
    return sum(max(law.get(k - shift, 0) - loss * law[k], 0) for k in range(-edge, edge + 1)) / total


@pytest.mark.parametrize(("epsilon", "shift", "variance"), [
    ("0", 1, "1"), ("0", 4, "9"), ("1/10", 1, "1/9"), ("1/10", 5, "30"), ("1", 3, "2"), ("3", 2, "1/2"),
    ("1/2", 9, "100"),
])  # fmt: skip
def test_delta_is_the_sum_over_every_point(epsilon, shift, variance):
    ends = discrete_delta(Fraction(epsilon), shift, Fraction(variance))
    assert abs(real(ends.low) / summed(Fraction(epsilon), shift, Fraction(variance)) - 1) < CONTEXT.mpf(10) ** -12


def test_the_continuous_sigma_breaks_the_claim_of_a_discrete_gaussian():
    """At the least sigma of (1, 1e-6) for continuous noise, a discrete Gaussian needs a delta 1.97 % larger."""
    claim = Fraction(1, 10**6)
    sigma = Fraction(least(Fraction(1), claim, Fraction(1)).sigma)
    assert tight_delta(Fraction(1), 1 / sigma**2).high <= claim
    ends = discrete_delta(Fraction(1), 1, sigma**2)
    assert claim * Fraction("1.0196") < ends.low < ends.high < claim * Fraction("1.0198")


@pytest.mark.parametrize(("epsilon", "sigma", "least_factor", "most_factor"), [
    ("1", "1/2", "1.183", "1.184"), ("1", "1", "1.113", "1.114"), ("1/10", "2", "0.988", "0.989"),
])  # fmt: skip
def test_for_small_sigma_the_two_laws_differ_by_a_tenth_in_either_direction(epsilon, sigma, least_factor, most_factor):
    epsilon, sigma = Fraction(epsilon), Fraction(sigma)
    discrete, continuous = discrete_delta(epsilon, 1, sigma**2), tight_delta(epsilon, 1 / sigma**2)
    assert (
        Fraction(least_factor) < discrete.low / continuous.high < discrete.high / continuous.low < Fraction(most_factor)
    )


@pytest.mark.parametrize(("old", "new"), [
    ("epsilon * variance / shift) + 1", "epsilon * variance / shift)"), ("if starts[1] < 1", "if starts[1] < -9"),
    ("+ 2 * half[0], (1 << p) + 2 * half[1]", "+ half[0], (1 << p) + half[1]"),
    ("max(starts[1], 1 - starts[1])", "max(starts[1], 2 - starts[1])"),
    ("(2 * variance) - epsilon", "variance - epsilon"),
])  # fmt: skip
def test_an_altered_sum_is_caught(old, new):
    source = Path(discrete_gaussian.__file__).read_text()
    assert old in source
    module = ModuleType("altered")
    exec(source.replace(old, new), module.__dict__)

    def wrong(epsilon, variance, shift, delta):
        try:
            ends = module.discrete_delta(Fraction(epsilon), int(shift), Fraction(variance))
        except (ArithmeticError, ValueError, UsageError):
            return True
        return abs(real(ends.low) / CONTEXT.mpf(delta) - 1) > 1e-9

    assert any(wrong(*row) for row in GOLDEN)


def test_the_tail_is_inside_the_bound_and_the_bound_is_used():
    """A sum that stops early is below the truth at its lower end and above it at its upper end."""
    low, high = discrete_gaussian._sum(1, Fraction(0), Fraction(40), 12)
    truth = sum(CONTEXT.exp(-(CONTEXT.mpf(k) ** 2) / 80) for k in range(1, 400)) * 2**12
    assert low <= truth <= high
    assert high - low < 200


def test_what_is_not_summed_is_refused():
    with pytest.raises(UsageError, match="is not summed"):
        discrete_delta(Fraction(1), 1, Fraction(10**7))
    with pytest.raises(UsageError, match="do not tell delta from 0"):
        discrete_delta(Fraction(10**4), 1, Fraction(1))
