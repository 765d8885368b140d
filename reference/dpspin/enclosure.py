"""Integer enclosures lo <= 2^p f(x) <= hi for rational x, and the exact quantile of lattice noise built on them.

Nothing here uses floating point.  An enclosure may be wide but never wrong; whoever needs a decision asks for more bits
until both ends agree.
"""

from fractions import Fraction

from dpspin.errors import ImpossibleError

MOST_BITS = 4096  # a decision still open here would mean that two unequal numbers agree to 4096 bits


def exp_neg(x: Fraction, p: int) -> tuple[int, int]:
    """Enclose 2^p exp(-x) for rational x >= 0.

    Taylor's series at x / 2^k < 2^-6, then k squarings; the guard bits absorb every truncation (one unit each, at most
    doubled by each squaring).
    """
    numerator, denominator = x.numerator, x.denominator
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


def power(low: int, high: int, exponent: int, p: int) -> tuple[int, int]:
    """Enclose 2^p x^exponent for 0 <= low <= 2^p x <= high, by squaring; every product is rounded outwards."""
    bottom = top = 1 << p
    for bit in f"{exponent:b}":
        bottom, top = bottom * bottom >> p, -(-top * top >> p)
        if bit == "1":
            bottom, top = bottom * low >> p, -(-top * high >> p)
    return bottom, top


def laplace_floor(scale: Fraction, atoms: int, beta: Fraction) -> int:
    """The noise floor tau: the least k with P(max_j |X_j| > k) <= beta for `atoms` independent draws.

    Exact on the lattice (spec.md section 6): 1 - (1 - P(|X| > k))^atoms <= beta, decided by enclosures.

    Args:
        scale: scale of the noise in lattice units.
        atoms: number of coordinates that carry noise.
        beta: a probability, 0 < beta < 1.
    """

    def reached(k: int) -> bool:
        p = 64
        while p <= MOST_BITS:
            low, high = laplace_tail(k, scale, p)
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
