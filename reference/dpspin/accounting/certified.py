"""Decisions about Gaussian noise by integer enclosures: delta and epsilon of a sigma, the least sigma of a claim.

delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) with mu = Delta_2 / sigma (Balle and Wang 2018, Theorem 8).
It falls as eps grows and as sigma grows.  A search in multiple precision only proposes numbers; whatever is returned
has been decided by an enclosure, and the number next to it by another.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import isqrt
from typing import Any, NamedTuple

from mpmath import MPContext

from dpspin.enclosure import MOST_BITS, exp_neg, normal_tail
from dpspin.errors import ImpossibleError, UsageError

GUARD = 64  # bits beyond those that the size of delta and of e^eps takes
DIGITS = 50  # of the search
PROPOSED_BITS = 56  # of an epsilon
PROPOSABLE = Fraction(10**12)  # (Delta_2 / sigma)^2 between this and its inverse; mpmath overflows at extremes
WITHIN = Fraction(49, 10**14)  # of itself, on either side of a proposed epsilon
MOST_STEPS = 64  # floats between what the search proposes and what holds; it is one at most


class Ends(NamedTuple):
    """A number lies between these two, both included."""

    low: Fraction
    high: Fraction


class Least(NamedTuple):
    """The smallest float that meets a claim, and the witness that the one below it does not."""

    sigma: float
    delta: Ends
    below: float
    failing: Ends


def units(epsilon: Fraction, ratio: Fraction, p: int) -> tuple[int, int]:
    """Enclose 2^p delta(eps); wide, but never wrong, where p bits are too few.

    Args:
        epsilon: at least 0.
        ratio: (Delta_2 / sigma)^2, exact and positive.
        p: bits after the point.
    """
    mu = isqrt((ratio.numerator << 2 * p) // ratio.denominator)
    if mu == 0 or epsilon > p:
        return 0, 1 << p
    mu_low, mu_high = Fraction(mu, 1 << p), Fraction(mu + 1, 1 << p)
    least, most = _cut(epsilon / mu_high, p), _cut(epsilon / mu_low, p) + Fraction(1, 1 << p)
    loss_low, loss_high = exp_neg(epsilon, p)
    near = upper_tail(most - mu_low / 2, p)[0], upper_tail(least - mu_high / 2, p)[1]
    far = upper_tail(most + mu_high / 2, p)[0], upper_tail(least + mu_low / 2, p)[1]
    if loss_low == 0:
        return 0, near[1]
    return max(near[0] + (-far[1] << p) // loss_low, 0), near[1] - (far[0] << p) // loss_high


def _cut(x: Fraction, p: int) -> Fraction:
    return Fraction((x.numerator << p) // x.denominator, 1 << p)


def upper_tail(x: Fraction, p: int) -> tuple[int, int]:
    """Enclose 2^p P(N(0, 1) > x) for any rational x."""
    low, high = normal_tail(abs(x), p)
    low, high = low // 2, (high + 1) // 2
    return (low, high) if x >= 0 else ((1 << p) - high, (1 << p) - low)


def enclose(epsilon: Fraction, ratio: Fraction, enough: Callable[[Ends], bool], claim: Fraction) -> Ends:
    """delta(eps) between ends that are enough; more bits are taken until they are.

    Args:
        epsilon: at least 0.
        ratio: (Delta_2 / sigma)^2.
        enough: what the caller asks of the ends.
        claim: the size of delta that is expected; it sets the first precision only.

    Raises:
        UsageError: when MOST_BITS bits are too few: for an epsilon of thousands, or a delta below 1e-1000.
    """
    p = _first_bits(epsilon, claim)
    while p <= MOST_BITS:
        low, high = units(epsilon, ratio, p)
        ends = Ends(Fraction(low, 1 << p), Fraction(high, 1 << p))
        if enough(ends):
            return ends
        p *= 2
    raise _undecided()


def _first_bits(epsilon: Fraction, claim: Fraction) -> int:
    return math.ceil(1 / claim).bit_length() + int(3 * epsilon / 2) + 2 * GUARD


def _undecided() -> UsageError:
    return UsageError(
        "epsilon, delta", f"{MOST_BITS} bits do not decide them", "claim epsilon below 2000, delta above 1e-900"
    )


def told(epsilon: Fraction, ratio: Fraction, claim: Fraction) -> Ends:
    """delta(eps) between ends on one side of the claim: high <= claim, and then it holds, or claim < low."""
    return enclose(epsilon, ratio, lambda ends: ends.high <= claim or claim < ends.low, claim)


def tight_delta(epsilon: Fraction, ratio: Fraction) -> Ends:
    """delta(eps) of a given sigma to 12 digits."""
    return enclose(epsilon, ratio, lambda ends: (ends.high - ends.low) * 10**12 < ends.low, Fraction(1, 2**64))


def tight_epsilon(ratio: Fraction, delta: Fraction) -> Ends:
    """The least epsilon with delta(epsilon) <= delta for a given sigma, to 12 digits; 0 where no loss is needed.

    The claim holds at the high end and fails at the low end.
    """

    def holds(epsilon: Fraction) -> bool:
        return told(epsilon, ratio, delta).high <= delta

    if holds(Fraction(0)):
        return Ends(Fraction(0), Fraction(0))
    if 1 / PROPOSABLE < ratio < PROPOSABLE:
        low, high = _proposed(ratio, delta)
        if holds(high) and not holds(low):
            return Ends(low, high)
    low, high = _octave(holds)
    while (high - low) * 10**12 > high:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return Ends(low, high)


def _octave(holds: Callable[[Fraction], bool]) -> Ends:
    """A power of two that fails and the next one, which holds; 0 fails.

    The least power is out of reach: what is decided at 0 with MOST_BITS bits is not changed by a loss as small as it.
    """
    powers = range(-2 * MOST_BITS, MOST_BITS.bit_length() + 1)
    high = Fraction(2) ** powers[bisect_left(powers, True, key=lambda power: holds(Fraction(2) ** power))]
    return Ends(high / 2, high)


def _proposed(ratio: Fraction, delta: Fraction) -> Ends:
    """Ends about the epsilon at which delta(eps) = delta, by bisection in multiple precision; they may be wrong."""
    context = _context()
    context.dps = DIGITS
    mu, claim = (context.mpf(x.numerator) / x.denominator for x in (ratio, delta))
    mu, low, high = context.sqrt(mu), context.mpf(0), context.mpf(1)

    def exceeds(loss: Any) -> bool:
        near = mu / 2 - loss / mu
        return bool(context.ncdf(near) - context.exp(loss) * context.ncdf(near - mu) > claim)

    while exceeds(high) and high < MOST_BITS:
        low, high = high, 2 * high
    for _ in range(PROPOSED_BITS):
        middle = (low + high) / 2
        low, high = (middle, high) if exceeds(middle) else (low, middle)
    near = Fraction(int(context.ldexp(high, 2 * PROPOSED_BITS)), 1 << 2 * PROPOSED_BITS)
    return Ends(near * (1 - WITHIN), near * (1 + WITHIN))


def least(epsilon: Fraction, delta: Fraction, l2_squared: Fraction) -> Least:
    """The smallest binary64 sigma whose delta is certified to be at most the claim.

    Args:
        epsilon: claimed loss, at least 0.
        delta: claimed probability outside it, strictly between 0 and 1.
        l2_squared: Delta_2 squared, positive; sigma is in the same unit.

    Raises:
        UsageError: when sigma leaves binary64, or the claim is too small or too large to be decided.
    """
    if _first_bits(epsilon, delta) > MOST_BITS:  # before the search, which has no bound of its own
        raise _undecided()
    sigma = _near(epsilon, delta, l2_squared)

    def ends(each: float) -> Ends:
        return told(epsilon, l2_squared / Fraction(each) ** 2, delta)

    for _ in range(MOST_STEPS):
        below = math.nextafter(sigma, 0)
        at, failing = ends(sigma), ends(below)
        if at.high > delta:
            sigma = math.nextafter(sigma, math.inf)
        elif failing.high <= delta:
            sigma = below
        else:
            return Least(sigma, at, below, failing)
    raise ImpossibleError("the search for sigma ended far from the least one")


def _near(epsilon: Fraction, delta: Fraction, l2_squared: Fraction) -> float:
    """Delta_2 / mu as a float, where delta(eps; mu) = delta to DIGITS digits."""
    context = _context()
    context.dps = DIGITS + len(str(delta.denominator))  # delta is what is left of two terms that cancel
    square = context.mpf(l2_squared.numerator) / l2_squared.denominator
    sigma = float(context.sqrt(square) / _mu(context, epsilon, delta))
    if not math.ldexp(1, -900) < sigma < math.ldexp(1, 900):
        raise UsageError("mass_bound", "sigma would be out of the range of binary64", "write numbers of usual size")
    return sigma


def _mu(context: Any, epsilon: Fraction, delta: Fraction) -> Any:
    """Newton's method for ln delta(eps; mu) from below the root: delta is at most Phi(-x) there, or 0.4 mu."""
    loss, claim = (context.mpf(x.numerator) / x.denominator for x in (epsilon, delta))
    x = context.sqrt(-2 * context.log(claim))  # Phi(-x) < claim
    mu = max(context.sqrt(x * x + 2 * loss) - x, context.mpf(5) / 2 * claim)
    for _ in range(MOST_STEPS):
        near = mu / 2 - loss / mu
        value = context.ncdf(near) - context.exp(loss) * context.ncdf(near - mu)
        step = context.log(value / claim) * value / context.npdf(near)
        mu -= step
        if abs(step) < mu * context.mpf(10) ** -20:
            return mu
    raise UsageError("delta", "is too near 1 for the search", "claim less than 0.999999999999")


@cache
def _context() -> Any:
    """Takes 2 ms to make; nothing but the precision is kept in it, and every search sets that first."""
    return MPContext()
