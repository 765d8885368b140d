"""The figures that docs/accounting.md prints, computed another way or by what it names, and found in its text."""

import math
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import norm

from dpspin.accounting import admission, lower_bound
from dpspin.accounting.admission import Admission
from dpspin.accounting.certified import tight_epsilon
from dpspin.accounting.composition import Composition
from dpspin.accounting.curve import epsilon_at
from dpspin.accounting.discrete_gaussian import discrete_delta
from dpspin.accounting.rounded_gaussian import rounding
from dpspin.accounting.split import PeelingClaim, least_factor
from dpspin.accounting.value_loss import GaussianLoss

TEXT = " ".join((Path(__file__).parents[3] / "docs" / "accounting.md").read_text().split())
SIGMA = 4.224678889326836
SIXTH = Fraction(1, 10**6)


def close(found, printed, unit):
    """Whether a printed decimal is within one of its last digit, and printed."""
    return printed in TEXT and abs(mpmath.mpf(found) - mpmath.mpf(printed)) <= mpmath.mpf(unit)


def test_the_number_by_hand():
    context = mpmath.MPContext()
    context.dps = 40
    mu = 1 / context.mpf(SIGMA)
    near, far = 1 / mu - mu / 2, 1 / mu + mu / 2
    first, second = context.ncdf(-near), context.ncdf(-far)
    for found, printed, unit in (
        (mu, "0.236704380663", "1e-12"), (mu / 2, "0.118352190332", "1e-12"), (near, "4.106326698995", "1e-12"),
        (far, "4.343031079659", "1e-12"), (first, "2.010004047e-5", "1e-14"), (second, "7.02651221e-6", "1e-14"),
        (context.e * second, "1.910004047e-5", "1e-14"),
        (first - context.e * second, "9.99999999999995987e-7", "1e-24"),
    ):  # fmt: skip
        assert close(found, printed, unit), printed
    mu = 1 / context.mpf(math.nextafter(SIGMA, 0))
    below = context.ncdf(mu / 2 - 1 / mu) - context.e * context.ncdf(-mu / 2 - 1 / mu)
    assert close(below, "1.00000000000000032e-6", "1e-23")


def test_a_mixture_by_its_laws_by_ours_and_as_a_sum():
    def normal(x):
        return norm.cdf(1 / 8 - 4 * x) - math.exp(x) * norm.cdf(-1 / 8 - 4 * x)

    def laws(epsilon):
        """The loss of Laplace noise has the points +-1/2 and a density between."""
        inner = quad(lambda g: math.exp((g - 0.5) / 2) / 4 * normal(epsilon - g), -0.5, 0.5, epsabs=1e-14)[0]
        return normal(epsilon - 0.5) / 2 + math.exp(-0.5) / 2 * normal(epsilon + 0.5) + inner

    ours = epsilon_at(Composition((Fraction(1, 2),), Fraction(1, 16)), SIXTH).high
    assert close(float(ours), "1.534", "5e-4")
    assert close(brentq(lambda x: laws(x) - 1e-6, 1, 2), "1.523", "5e-4")
    assert close(float(tight_epsilon(Fraction(1, 16), SIXTH).high + Fraction(1, 2)), "1.561", "5e-4")


def test_the_lower_bounds_beside_the_closed_form():
    alone = Admission("add_drop", 10, Fraction(1, 10))
    joint = Admission("add_drop", 10, Fraction(1, 10), GaussianLoss(Fraction(1, 25)))
    for one, least, most in ((alone, "0.624453", "0.624454"), (joint, "0.871", "1.035")):
        unit = "1e-6" if one is alone else "5e-4"
        assert close(float(lower_bound.epsilon(one, 10**6, SIXTH)), least, unit)
        assert close(float(admission.epsilon(one, SIXTH)), most, unit)


@pytest.mark.parametrize(("adjacency", "printed"), [("add_drop", ".5961"), ("replacement", ".6039")])
def test_the_factors_of_a_split_of_its_own_relation(adjacency, printed):
    split = PeelingClaim(adjacency, Fraction(1), 10, 60, Fraction(1, 2), Fraction(1), SIXTH).split()
    assert close(float(least_factor(split, Fraction(1), SIXTH)), printed, "1e-4")


def test_the_discrete_gaussian_beside_the_continuous_one():
    assert close(float(discrete_delta(Fraction(1), 1, Fraction(SIGMA) ** 2).high), "1.0197e-6", "5e-11")
    for sigma, epsilon, share, printed in ((Fraction(1, 2), 1, 1.18, "18 % larger"), (2, 0.1, 0.99, "1 % smaller")):
        mu = 1 / float(sigma)
        real = norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
        found = discrete_delta(Fraction(str(epsilon)), 1, Fraction(sigma) ** 2).high
        assert abs(float(found) / real - share) < 0.005
        assert printed in TEXT


def test_what_rounding_takes_away():
    for shift, printed in ((1, "1.2e-2"), (2, "5.9e-3"), (10, "2.5e-6"), (1000, "9.8e-8")):
        assert printed in TEXT
        assert abs(float(rounding(Fraction(1), shift, shift * Fraction(SIGMA)).gain) / float(printed) - 1) < 0.02
    assert rounding(Fraction(1), 2**20, 2**20 * Fraction(SIGMA)).gain < Fraction(1, 10**13)
