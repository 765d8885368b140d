"""The exact (epsilon, delta) trade of Gaussian noise, and the smallest floating-point sigma that meets a claim.

delta(eps; sigma) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) with mu = Delta_2 / sigma (Balle and Wang 2018,
Theorem 8).  For real-valued noise it is exact; rounding the noisy masses to the lattice is post-processing, for which
it stays an upper bound.

How decisions are made.  Numbers are mpmath's binary floats with at least 60 decimal digits.  With x = mu/2 + eps/mu,
a relative error u in the input becomes at most about (x^2 + 2) u in either term (x^2 >= 2 eps covers e^eps), so the
digits of x^2 are added to the 60.  The two terms cancel; what is left is compared with the claim, and a decision counts
only if the difference exceeds 10^3 (x^2 + 2) u times the larger term.  Otherwise the digits double.  The factor 10^3
stands for the few units in the last place that mpmath's functions lose: this is high-precision arithmetic with a wide
margin, not a certificate.  The smallest sigma is certified (`certified.least`) wherever enclosures can decide it; this
margin decides it only beyond, for an epsilon of thousands or a delta within 1e-12 of 1, and is else a cross-check.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from mpmath import MPContext

from dpspin.accounting.certified import least
from dpspin.errors import ImpossibleError, UsageError

DIGITS = 60
MOST_DIGITS = 10_000  # a decision still open here would mean that a transcendental number equals a rational one
LEAST_SHOWN = Fraction(1, 10**999)  # smaller deltas are shown as this one: nobody claims less
LARGEST_POWER = 900  # of two: sigma and its square root stay far from the ends of binary64


class Estimate(NamedTuple):
    """A value and a bound on its error, both in multiple precision."""

    value: Any
    error: Any


def estimate(epsilon: Fraction, ratio: Fraction, digits: int = DIGITS, context: MPContext | None = None) -> Estimate:
    """delta(eps; sigma).

    Args:
        epsilon: at least 0.
        ratio: (Delta_2 / sigma)^2, exact and positive.
        digits: decimal digits beyond those that the size of the arguments costs.
        context: where to compute; its precision is changed.  A new one takes 2 ms to make.
    """
    size = ratio / 4 + epsilon**2 / ratio + epsilon + 2  # x^2 + 2
    context = context or MPContext()
    context.dps = digits + len(str(math.ceil(size)))
    mu = context.sqrt(context.mpf(ratio.numerator) / ratio.denominator)
    loss = context.mpf(epsilon.numerator) / epsilon.denominator
    first = context.ncdf(mu / 2 - loss / mu)
    second = context.exp(loss) * context.ncdf(-mu / 2 - loss / mu)
    return Estimate(first - second, first * 1000 * context.mpf(10) ** -digits)


def meets(epsilon: Fraction, ratio: Fraction, delta: Fraction, context: MPContext | None = None) -> bool:
    """Whether delta(eps; sigma) <= delta, with ratio = (Delta_2 / sigma)^2."""
    digits = DIGITS
    while digits <= MOST_DIGITS:
        value, error = estimate(epsilon, ratio, digits, context)
        beyond = value - value.context.mpf(delta.numerator) / delta.denominator
        if abs(beyond) > error:
            return bool(beyond < 0)
        digits *= 2
    raise ImpossibleError("the delta of Gaussian noise cannot be told from the claim")


def tight_delta(epsilon: Fraction, ratio: Fraction) -> Fraction:
    """delta(eps; sigma) as a decimal of nine significant digits, rounded up; at least LEAST_SHOWN."""
    digits = DIGITS
    while True:
        value, error = estimate(epsilon, ratio, digits)
        if value > error * 10**12 or digits > MOST_DIGITS:
            break
        digits *= 2
    high = value + error
    power = int(value.context.floor(value.context.log10(high))) - 8
    if power < -1000:
        return LEAST_SHOWN
    return int(value.context.ceil(high / value.context.mpf(10) ** power)) * Fraction(10) ** power


@cache
def analytic_sigma(epsilon: Fraction, delta: Fraction, l2_squared: Fraction) -> float:
    """The smallest binary64 sigma for which delta(eps; sigma) <= delta; the float below it fails.

    Args:
        epsilon: claimed loss, positive.
        delta: claimed probability outside it, between 0 and 1.
        l2_squared: Delta_2 squared, in any unit; sigma is in the same unit.

    Raises:
        UsageError: when sigma would leave the range of binary64.
    """
    try:
        return least(epsilon, delta, l2_squared).sigma
    except UsageError:  # beyond what enclosures decide, or what binary64 holds
        context = MPContext()
    return _least(
        lambda sigma: meets(epsilon, l2_squared / Fraction(sigma) ** 2, delta, context), l2_squared / epsilon**2
    )


def _least(enough: Callable[[float], bool], square: Fraction) -> float:
    """The least float that is enough, where every larger one is enough too; the search starts near sqrt(square)."""
    power = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    if abs(power) > LARGEST_POWER:
        raise UsageError("mass_bound", "sigma would be out of the range of binary64", "write numbers of usual size")
    above = math.ldexp(1.0, power)
    while not enough(above):
        above *= 2
    below = above / 2
    while enough(below):
        above, below = below, below / 2
    while below < (middle := (below + above) / 2) < above:
        below, above = (below, middle) if enough(middle) else (middle, above)
    return above


def classical_sigma(epsilon: Fraction, delta: Fraction, l2_squared: Fraction) -> float | None:
    """The paper's rule sqrt(2 ln(1.25/delta)) Delta_2 / eps, rounded up; None outside its range 0 < eps < 1.

    From eps = 8.4 on (delta 1e-5) the rule is false; between 1 and there nothing is proved for it (spec.md section 3).
    """
    if not 0 < epsilon < 1:
        return None
    context = MPContext()
    context.dps = DIGITS
    square = l2_squared / epsilon**2
    log = context.log(context.mpf(5) / 4 * delta.denominator / delta.numerator)
    exact = context.sqrt(2 * log * square.numerator / square.denominator)
    above = exact * (1 + context.mpf(10) ** (10 - DIGITS))
    sigma = float(above)
    return sigma if sigma >= above else math.nextafter(sigma, math.inf)
