"""Arithmetic of intervals in fixed point: integers count units of 2^-bits, and every operation rounds outwards.

A result may be wide but never wrong.  The precision is absolute; whoever needs relative precision asks for more bits.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from dpspin.enclosure import exp_neg
from dpspin.errors import ImpossibleError


@dataclass(frozen=True, slots=True)
class Interval:
    """A number between low / 2^bits and high / 2^bits, both included."""

    low: int
    high: int
    bits: int

    def __add__(self, other: "Interval") -> "Interval":
        return Interval(self.low + other.low, self.high + other.high, self.bits)

    def __sub__(self, other: "Interval") -> "Interval":
        return Interval(self.low - other.high, self.high - other.low, self.bits)

    def __mul__(self, other: "Interval") -> "Interval":
        corners = self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high
        return Interval(min(corners) >> self.bits, -(-max(corners) >> self.bits), self.bits)

    def times(self, factor: int) -> "Interval":
        """The product with an integer, without error."""
        low, high = sorted((self.low * factor, self.high * factor))
        return Interval(low, high, self.bits)

    def power(self, exponent: int) -> "Interval":
        """A power, by squaring; 1 for exponent 0."""
        result, square = whole(1, self.bits), self
        while exponent:
            result = result * square if exponent % 2 else result
            exponent //= 2
            square = square * square if exponent else square
        return result

    def inverse(self) -> "Interval":
        """1 / x.

        Raises:
            ImpossibleError: where the bits do not show that x is positive; callers take enough.
        """
        if self.low <= 0:
            raise ImpossibleError("the divisor of an interval may be zero")
        one = 1 << 2 * self.bits
        return Interval(one // self.high, -(-one // self.low), self.bits)


def whole(value: int, bits: int) -> Interval:
    """An integer, without error."""
    return Interval(value << bits, value << bits, bits)


def rational(value: Fraction, bits: int) -> Interval:
    """A rational."""
    numerator = value.numerator << bits
    return Interval(numerator // value.denominator, -(-numerator // value.denominator), bits)


def exponential(x: Fraction, bits: int) -> Interval:
    """e^x for any rational x; for x > 0 as the inverse of e^-x, which needs some 3 x bits more."""
    if x <= 0:
        return Interval(*exp_neg(-x, bits), bits)
    more = bits + 3 * int(x) + 8
    low, high = exp_neg(x, more)
    one = 1 << bits + more
    return Interval(one // high, -(-one // low), bits)


def root(value: Fraction, bits: int) -> Interval:
    """The square root of a rational that is not negative."""
    low = isqrt((value.numerator << 2 * bits) // value.denominator)
    return Interval(low, low + 1, bits)
