"""Discrete Laplace noise, P(x) proportional to exp(-|x| / scale), from integers and random bits alone.

The size is geometric, with a random sign and without a negative zero (Canonne, Kamath and Steinke 2020).  The binary
digits of a geometric variable are independent: with q = exp(-1 / scale), digit i is 1 with probability
1 / (1 + q^(-2^i)).  Digits of many variables are drawn at once, one lane of a long integer for each variable: random
bits are compared with the digits of that probability until every lane is decided.
"""

import math
import secrets
from array import array
from collections.abc import Callable
from decimal import Decimal, getcontext
from fractions import Fraction
from functools import cache
from hashlib import shake_256

getcontext().prec = 120
DIGITS = 320
"""Binary digits of a probability; a lane that they leave open has a chance of 2^-320."""
NEVER = 128
"""Digits of a geometric variable whose odds are below exp(-128) are 0."""
Bits = Callable[[int], int]
"""From a count to an integer of so many random bits."""
BINARY = bytes.maketrans(b"01", b"\0\1")


def seeded(seed: bytes) -> Bits:
    """Bits that follow from a seed, for audits: whoever holds it subtracts the noise."""
    calls = iter(range(1 << 62))

    def bits(count: int) -> int:
        data = shake_256(seed + next(calls).to_bytes(8, "little")).digest(count // 8 + 1)
        return int.from_bytes(data, "little") & ((1 << count) - 1)

    return bits


@cache
def chances(scale: Fraction) -> list[int]:
    """The probability that each binary digit is 1, lowest digit first, times 2^DIGITS."""
    count = math.ceil(NEVER * scale - 1).bit_length()
    powers = [Decimal((1 << at) * scale.denominator) / scale.numerator for at in range(count)]
    return [int(2**DIGITS / (1 + power.exp())) for power in powers]


def unpacked(ones: int, count: int) -> bytes:
    """A byte for every bit."""
    return format(ones, f"0{count}b").encode().translate(BINARY)


def lanes(chance: int, count: int, bits: Bits) -> int:
    """An integer of `count` bits, each 1 with this chance by itself: whether a uniform number is below it."""
    ones, undecided = 0, (1 << count) - 1
    for digit in range(DIGITS - 1, -1, -1):
        drawn = bits(count)
        if chance >> digit & 1:
            ones |= undecided & ~drawn
            undecided &= drawn
        else:
            undecided &= ~drawn
        if not undecided:
            break
    return ones


def laplace(scale: Fraction, count: int, bits: Bits = secrets.randbits) -> list[int]:
    """Independent draws; scales up to 2^48 lattice units."""
    width, kind = (4, "i") if len(chances(scale)) < 32 else (8, "q")
    total = 0
    for place, chance in enumerate(chances(scale)):
        spread = bytearray(width * count)
        spread[::width] = unpacked(lanes(chance, count, bits), count)
        total |= int.from_bytes(spread, "little") << place
    sizes, signs = array(kind, total.to_bytes(width * count, "little")), unpacked(bits(count), count)
    return [(-size or laplace(scale, 1, bits)[0]) if sign else size for size, sign in zip(sizes, signs, strict=True)]


def noise_floor(scale: float, count: int, beta: float) -> int:
    """The least k that none of `count` draws exceeds in size with probability 1 - beta.

    P(|x| > k) = 2 q^(k+1) / (1 + q); every draw may exceed k with probability 1 - (1 - beta)^(1 / count).
    """
    each = -math.expm1(math.log1p(-beta) / count)
    return max(0, math.ceil(scale * math.log(2 / ((1 + math.exp(-1 / scale)) * each)) - 1))
