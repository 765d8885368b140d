"""Integer enclosures lo <= 2^p f(x) <= hi for rational x, and the exact quantile of lattice noise built on them.

Nothing here uses floating point.  An enclosure may be wide but never wrong; whoever needs a decision asks for more bits
until both ends agree.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import isqrt

from dpspin.errors import ImpossibleError

Tail = Callable[[int, int], tuple[int, int]]
"""(k, p) to an enclosure of 2^p P(|X| > k), for integers k >= 0."""
MOST_BITS = 4096  # a decision still open here would mean that two unequal numbers agree to 4096 bits


def exp_neg(x: Fraction, p: int) -> tuple[int, int]:
    """Enclose 2^p exp(-x) for rational x >= 0.

    Taylor's series at x / 2^k < 2^-6, then k squarings; the guard bits absorb every truncation (one unit each, at most
    doubled by each squaring).  exp(0) is exact, so that ties share exactly.
    """
    numerator, denominator = x.numerator, x.denominator
    if numerator == 0:
        return 1 << p, 1 << p
    if numerator > p * denominator:  # exp(-x) < 2^-p, and the argument reduction below would not end for huge x
        return 0, 1
    k = (numerator // denominator).bit_length() + 6
    q = p + k + 2 * p.bit_length() + 8
    reduced = (numerator << (q - k)) // denominator
    total = term = 1 << q
    j = 0
    while term:
        j += 1
        term = (term * reduced >> q) // j
        total += -term if j % 2 else term
    for _ in range(k):
        total = total * total >> q
    total >>= q - p
    return max(total - 1, 0), total + 2


def laplace_tail(k: int, scale: Fraction, p: int) -> tuple[int, int]:
    """Enclose 2^p P(|X| > k) of the discrete Laplace law P(x) = (1-a)/(1+a) a^|x| with a = exp(-1/scale).

    P(|X| > k) = 2 a^(k+1) / (1+a) for integers k >= 0.
    """
    (low, high), (a_low, a_high) = exp_neg(Fraction(k + 1) / scale, p), exp_neg(1 / scale, p)
    one = 1 << p
    return (2 * low << p) // (one + a_high), -((-2 * high << p) // (one + a_low))


@cache
def sqrt_2_over_pi(p: int) -> int:
    """2^p sqrt(2 / pi), from below and to within 2; pi by Machin's formula, 16 arctan(1/5) - 4 arctan(1/239)."""
    pi = 16 * _arctan_inverse(5, p + 64) - 4 * _arctan_inverse(239, p + 64)  # the error of either is below p + 64
    return isqrt((1 << 3 * p + 65) // pi) - 1


def _arctan_inverse(n: int, p: int) -> int:
    """2^p arctan(1 / n), off by less than one unit for each term of the series."""
    total, power, j = 0, (1 << p) // n, 1
    while power:
        total += power // j if j % 4 == 1 else -(power // j)
        power //= n * n
        j += 2
    return total


def normal_tail(x: Fraction, p: int) -> tuple[int, int]:
    """Enclose 2^p P(|N(0, 1)| > x) for rational x >= 0.

    It is 1 - sqrt(2/pi) exp(-h) (x + x^3/3 + x^5/(3*5) + ...), h = x^2 / 2 (Abramowitz and Stegun 1964, 26.2.11).
    Everything is cut off downwards.  The series is below 2 e^h, and what one term lacks grows in the later ones by at
    most e^h, so that n terms together lack at most e^h (2 e^h + 2 n) units: 2 h guard bits stand against e^h, the
    others against n and the cuts in exp and sqrt.
    """
    h = x * x / 2
    if h > p:  # the tail is at most exp(-h) < 2^-p, and the series below would not end for huge x
        return 0, 1
    q = p + 2 * int(h) + 4 * p.bit_length() + 24
    square = (h.numerator << (q + 1)) // h.denominator
    total = term = (x.numerator << q) // x.denominator
    j = 1
    while term:
        j += 2
        term = (term * square >> q) // j
        total += term
    within = (exp_neg(h, q)[0] * total >> q) * sqrt_2_over_pi(q) >> (2 * q - p)
    return max((1 << p) - within - 2, 0), (1 << p) - within


def gaussian_tail(k: int, sigma: Fraction, p: int) -> tuple[int, int]:
    """Enclose 2^p P(|X| > k) for X = sigma N(0, 1) rounded to the nearest integer: P(|N(0, 1)| > (k + 1/2) / sigma)."""
    return normal_tail((2 * k + 1) / (2 * sigma), p)


def power(low: int, high: int, exponent: int, p: int) -> tuple[int, int]:
    """Enclose 2^p x^exponent for 0 <= low <= 2^p x <= high, by squaring; every product is rounded outwards."""
    bottom = top = 1 << p
    for bit in f"{exponent:b}":
        bottom, top = bottom * bottom >> p, -(-top * top >> p)
        if bit == "1":
            bottom, top = bottom * low >> p, -(-top * high >> p)
    return bottom, top


def floor(tail: Tail, atoms: int, beta: Fraction) -> int:
    """The noise floor tau: the least k with P(max_j |X_j| > k) <= beta for `atoms` independent draws of one law.

    Exact on the lattice (spec.md section 6): 1 - (1 - P(|X| > k))^atoms <= beta, decided by enclosures.

    Args:
        tail: P(|X| > k), falling to 0.
        atoms: number of coordinates that carry noise.
        beta: a probability, 0 < beta < 1.

    Raises:
        ImpossibleError: when MOST_BITS bits decide nothing.
    """

    def reached(k: int) -> bool:
        p = 64
        while p <= MOST_BITS:
            low, high = tail(k, p)
            one = 1 << p
            within, at_most = power(one - min(high, one), one - low, atoms, p)
            if within >= (1 - beta) * one:
                return True
            if at_most < (1 - beta) * one:
                return False
            p *= 2
        raise ImpossibleError("the quantile of the noise cannot be decided")

    above = 1
    while not reached(above):
        above *= 2
    below = above // 2 if above > 1 else -1
    while above - below > 1:
        middle = (above + below) // 2
        below, above = (below, middle) if reached(middle) else (middle, above)
    return above


def laplace_floor(scale: Fraction, atoms: int, beta: Fraction) -> int:
    """The noise floor of discrete Laplace noise, `scale` in lattice units."""
    return floor(lambda k, p: laplace_tail(k, scale, p), atoms, beta)


def gaussian_floor(sigma: Fraction, atoms: int, beta: Fraction) -> int:
    """The noise floor of rounded Gaussian noise, `sigma` in lattice units."""
    return floor(lambda k, p: gaussian_tail(k, sigma, p), atoms, beta)
