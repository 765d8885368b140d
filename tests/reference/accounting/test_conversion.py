"""Add/drop to replacement: two steps of group privacy, rounded up."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpspin.accounting.conversion import from_add_drop_to_replacement
from dpspin.accounting.gaussian import tight_delta

DELTAS = st.builds(lambda n, e: Fraction(n, 10**e), st.integers(1, 9), st.integers(1, 60))


def check_charge(charged, epsilon, delta):
    """At least (1 + e^eps) delta, and at most a millionth of delta more; never above 1."""
    assert charged[0] == 2 * epsilon
    with mpmath.workdps(600):
        exact = (1 + mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)) * delta.numerator
        excess = mpmath.mpf(charged[1].numerator) / charged[1].denominator * delta.denominator - exact
        assert charged[1] == 1 if exact >= delta.denominator else 0 <= excess <= delta.numerator * mpmath.mpf("1.1e-6")


@given(st.fractions(Fraction(1, 2**20), 1000, max_denominator=2**20), DELTAS)
@example(Fraction(1), Fraction(1, 10**6))
@example(Fraction(1, 2**20), Fraction(1, 10**300))
@example(Fraction(1000), Fraction(1, 10**430))
def test_delta_grows_by_one_plus_the_exponential_rounded_up(epsilon, delta):
    charged = from_add_drop_to_replacement(epsilon, delta)
    check_charge(charged, epsilon, delta)
    for wrong in (charged[1] - delta / 10**5, charged[1] + delta / 10**5):
        if charged[1] < 1:
            with pytest.raises(AssertionError):
                check_charge((charged[0], wrong), epsilon, delta)


def test_a_pure_loss_doubles_and_stays_pure():
    assert from_add_drop_to_replacement(Fraction(2**20), Fraction(0)) == (2**21, 0)


def test_a_huge_loss_is_charged_the_trivial_delta():
    assert from_add_drop_to_replacement(Fraction(2**20), Fraction(1, 10**499)) == (2**21, 1)


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(1), Fraction(3)])
def test_gaussian_noise_stays_within_the_converted_claim(epsilon):
    delta = tight_delta(epsilon, Fraction(1, 4))
    doubled, charged = from_add_drop_to_replacement(epsilon, delta)
    assert tight_delta(doubled, Fraction(2, 4)) <= charged  # Delta_2 squared is 2 under replacement
    assert tight_delta(doubled, Fraction(4, 4)) <= charged  # any two steps of length Delta_2
