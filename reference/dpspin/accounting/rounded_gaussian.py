"""What rounding does for Gaussian noise: the exact delta of the rounded law in one coordinate, beside the real one.

X = sigma N(0, 1) is rounded to the nearest integer, and the value moves by d steps.  Log-concavity makes the ratio of
the two laws grow with the released integer, so that half-lines are best events, and half-lines of integers are those of
the real line that begin at a half-integer c:

    delta(eps) = max over half-integers c of  T((c - d) / sigma) - e^eps T(c / sigma),   T(x) = P(N(0, 1) > x).

The same expression over all real c is the delta of real-valued noise, at c = d / 2 + eps sigma^2 / d.  It rises before
and falls after, so that the two half-integers beside that c decide.  Only one coordinate is covered: for several, the
real-valued delta stays the bound that is used (rounding is post-processing).
"""

from fractions import Fraction
from math import floor
from typing import NamedTuple

from dpspin.accounting.certified import Ends, tight_delta, upper_tail
from dpspin.enclosure import MOST_BITS, exp_neg
from dpspin.errors import UsageError

HALF = Fraction(1, 2)


class Rounding(NamedTuple):
    """The two deltas at one epsilon."""

    rounded: Ends
    """Of what is released."""
    real: Ends
    """Of the noise before it is rounded; never less."""

    @property
    def gain(self) -> Fraction:
        """A lower bound on the part of the real-valued delta that rounding takes away."""
        return max(1 - self.rounded.high / self.real.low, Fraction(0))


def rounding(epsilon: Fraction, shift: int, sigma: Fraction) -> Rounding:
    """Delta of one rounded coordinate and of the real-valued noise.

    Args:
        epsilon: at least 0.
        shift: d, in steps of the lattice, positive.
        sigma: in steps of the lattice, positive.
    """
    return Rounding(rounded_delta(epsilon, shift, sigma), tight_delta(epsilon, shift**2 / sigma**2))


def rounded_delta(epsilon: Fraction, shift: int, sigma: Fraction) -> Ends:
    """The delta of the rounded law to 12 digits; arguments as `rounding`.

    Raises:
        UsageError: where MOST_BITS bits are too few.
    """
    nearest = floor(Fraction(shift, 2) + epsilon * sigma**2 / shift - HALF) + HALF
    p = 192 + int(3 * epsilon / 2)
    while p <= MOST_BITS:
        found = [_event(epsilon, (c - shift) / sigma, c / sigma, p) for c in (nearest, nearest + 1)]
        low, high = (max(0, *ends) for ends in zip(*found, strict=True))
        if (high - low) * 10**12 < low:
            return Ends(Fraction(low, 1 << p), Fraction(high, 1 << p))
        p *= 2
    raise UsageError("epsilon, sigma", f"{MOST_BITS} bits do not tell delta from 0", "ask for a smaller epsilon")


def _event(epsilon: Fraction, near: Fraction, far: Fraction, p: int) -> tuple[int, int]:
    """Enclose 2^p (T(near) - e^eps T(far))."""
    first, second, loss = upper_tail(near, p), upper_tail(far, p), exp_neg(epsilon, p)
    return first[0] + (-second[1] << p) // loss[0], first[1] - (second[0] << p) // loss[1]
