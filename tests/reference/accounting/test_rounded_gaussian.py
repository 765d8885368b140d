"""Rounded Gaussian noise: sums of cell probabilities, what rounding takes away, and how much for us."""

from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import MPContext

from dpspin import deployment as deployments
from dpspin.accounting import rounded_gaussian
from dpspin.accounting.calibration import calibrate
from dpspin.accounting.rounded_gaussian import rounded_delta, rounding
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import embedded
from dpspin.errors import UsageError

CONTEXT = MPContext()
CONTEXT.dps = 50
SIGMA = Fraction(float.fromhex("0x1.0e61239070a9dp+2"))  # least at epsilon 1, delta 1e-6, Delta_2 = 1


def real(x):
    return CONTEXT.mpf(x.numerator) / x.denominator


def summed(epsilon, shift, sigma):
    """delta as the sum over every cell within 14 sigma."""
    scale, loss = real(sigma), CONTEXT.exp(real(epsilon))
    edge = int(14 * sigma) + shift + 2
    half = CONTEXT.mpf(1) / 2

    def cell(k):
        return CONTEXT.ncdf((k + half) / scale) - CONTEXT.ncdf((k - half) / scale)

    return sum(max(cell(k - shift) - loss * cell(k), 0) for k in range(-edge, edge + 1))


CASES = [(e, d, s) for e in ("0", "1/10", "1") for d, s in ((1, "1/2"), (1, "1"), (1, "4.2"), (2, "3"), (7, "10"))]


@pytest.mark.parametrize(("epsilon", "shift", "sigma"), CASES)
def test_the_best_half_line_is_the_sum_over_every_cell(epsilon, shift, sigma):
    epsilon, sigma = Fraction(epsilon), Fraction(sigma)
    ends = rounded_delta(epsilon, shift, sigma)
    truth = summed(epsilon, shift, sigma)
    assert real(ends.low) * (1 - CONTEXT.mpf(10) ** -20) <= truth <= real(ends.high) * (1 + CONTEXT.mpf(10) ** -20)
    assert ends.high - ends.low < ends.high / 10**11


@settings(max_examples=40)
@given(st.fractions(0, 2, max_denominator=20), st.integers(1, 9), st.fractions(Fraction(1, 2), 12, max_denominator=20))
def test_rounding_never_costs_anything(epsilon, shift, sigma):
    try:
        found = rounding(epsilon, shift, sigma)
    except UsageError:
        return
    assert found.rounded.low <= found.real.high
    assert 0 <= found.gain < 1


@pytest.mark.parametrize(("shift", "least", "most"), [
    # lattice steps by which the value moves, sigma = 4.22 times as much: the part of delta that rounding takes away
    (1, "1.2e-2", "1.3e-2"), (2, "5.9e-3", "6e-3"), (10, "2e-6", "3e-6"), (1000, "9e-8", "1e-7"),
    (MASS_UNIT, "0", "1e-13"),  # what is shipped: nothing would be won by calibrating to the rounded law
])  # fmt: skip
def test_how_far_the_rounded_law_lies_below(shift, least, most):
    found = rounding(Fraction(1), shift, SIGMA * shift)
    assert Fraction(least) <= found.gain <= Fraction(most)
    assert found.real.high < Fraction(1, 10**6)


@pytest.mark.parametrize(("folder", "name"), [
    (embedded.RECORD, "gaussian-add-drop.yaml"), (embedded.RECORD, "gaussian-replacement.yaml"),
    (embedded.USER, "gaussian-users.yaml"),
])  # fmt: skip
def test_no_shipped_deployment_would_gain_by_the_rounded_law(folder, name):
    deployment = deployments.load(embedded.files(folder)[name], name)
    noise = calibrate(deployment, 50)
    found = rounding(Fraction(deployment.mechanism.epsilon), int(deployment.mass_bound * MASS_UNIT), noise.sigma)
    assert found.gain < Fraction(1, 10**12)
    assert found.rounded.low > found.real.high * (1 - Fraction(1, 10**10))


def test_a_threshold_between_two_integers_loses_nothing():
    """At eps = 1, sigma^2 = 1, d = 1 the best real threshold is the half-integer 3/2."""
    found = rounding(Fraction(1), 1, Fraction(1))
    assert found.gain < Fraction(1, 10**11)
    assert rounding(Fraction(1), 1, Fraction(1, 2)).gain > Fraction(19, 100)


@pytest.mark.parametrize(("old", "new"), [
    ("(nearest, nearest + 1)", "(nearest,)"), ("(nearest, nearest + 1)", "(nearest + 1,)"),
    ("(c - shift) / sigma", "(c - shift - 1) / sigma"), ("c / sigma, p)", "(c + 1) / sigma, p)"),
])  # fmt: skip
def test_an_altered_event_is_caught(old, new):
    source = Path(rounded_gaussian.__file__).read_text()
    assert old in source
    module = ModuleType("altered")
    exec(source.replace(old, new), module.__dict__)
    assert any(
        abs(real(module.rounded_delta(Fraction(e), d, Fraction(s)).low) / summed(Fraction(e), d, Fraction(s)) - 1)
        > 1e-9
        for e, d, s in CASES
    )


def test_a_delta_that_no_bits_show_is_refused():
    with pytest.raises(UsageError, match="do not tell delta from 0"):
        rounded_delta(Fraction(1), 1, Fraction(100))
