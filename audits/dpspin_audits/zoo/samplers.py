"""Exact draws by other algorithms than the reference's, for correct implementations that are written differently.

Each is exact in law: uniform integers are taken by rejection, and exp(-x) of a rational x is never computed.
"""

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dpspin.curator.noise import Bits, Integers

Flags = npt.NDArray[np.bool_]
WORD = 64


def below(bound: int, count: int, bits: Bits) -> Integers:
    """Uniform integers in [0, bound), int64[count]: leading bits of words, drawn again where they reach the bound."""
    if bound == 1:
        return np.zeros(count, np.int64)
    shift = np.uint64(WORD - (bound - 1).bit_length())
    found = (bits.words(count) >> shift).astype(np.int64)
    while (odd := np.flatnonzero(found >= bound)).size:
        found[odd] = (bits.words(odd.size) >> shift).astype(np.int64)
    return found


def survives(gaps: Integers, per: int, bits: Bits) -> Flags:
    """Bernoulli(exp(-gap / per)) for each gap >= 0: bool[count] (Canonne, Kamath and Steinke 2020, algorithm 1)."""
    alive, whole, turn = _within_one(gaps % per, per, bits), gaps // per, 0
    while (left := np.flatnonzero(alive & (whole > turn))).size:
        alive[left] = _within_one(np.full(left.size, per, np.int64), per, bits)
        turn += 1
    return alive


def _within_one(gaps: Integers, per: int, bits: Bits) -> Flags:
    """For gaps of at most `per`: whether Bernoulli(gap / (k per)), k = 1, 2, ..., first fails at an odd k."""
    found, left, k = np.zeros(len(gaps), bool), np.arange(len(gaps)), 1
    while left.size:
        on = below(per * k, left.size, bits) < gaps[left]
        found[left[~on]] = k % 2 == 1
        left, k = left[on], k + 1
    return found


def laplace_by_rejection(scale: Fraction, count: int, bits: Bits) -> Integers:
    """P(x) proportional to exp(-|x| / scale), int64[count] (Canonne, Kamath and Steinke 2020, algorithm 2)."""
    t, s = scale.numerator, scale.denominator
    found, left = np.zeros(count, np.int64), np.arange(count)
    while left.size:
        low = below(t, left.size, bits)
        size = (low + t * _successes(1, 1, left.size, bits)) // s
        negative = below(2, left.size, bits) == 1
        kept = survives(low, t, bits) & ~(negative & (size == 0))
        found[left[kept]] = np.where(negative, -size, size)[kept]
        left = left[~kept]
    return found


def _successes(gap: int, per: int, count: int, bits: Bits) -> Integers:
    """How many Bernoulli(exp(-gap / per)) in a row succeed: geometric, int64[count]."""
    found, left = np.zeros(count, np.int64), np.arange(count)
    while left.size:
        left = left[survives(np.full(left.size, gap, np.int64), per, bits)]
        found[left] += 1
    return found


def geometric(scale: Fraction, count: int, bits: Bits) -> Integers:
    """P(g) proportional to exp(-g / scale), g >= 0, int64[count], binary digit by binary digit.

    The digits of a geometric number are independent, digit i being one with odds exp(-2^i / scale); what lies above
    the digits is geometric again.
    """
    t, s = scale.numerator, scale.denominator
    digits = max(int(scale).bit_length(), 1)
    found = _successes(s << digits, t, count, bits) << digits
    for digit in range(digits):
        found += _with_odds(s << digit, t, count, bits).astype(np.int64) << digit
    return found


def _with_odds(gap: int, per: int, count: int, bits: Bits) -> Flags:
    """Bernoulli with odds exp(-gap / per): a coin says no, or a trial says yes, or both start again."""
    found, left = np.zeros(count, bool), np.arange(count)
    while left.size:
        left = left[below(2, left.size, bits) == 1]
        yes = survives(np.full(left.size, gap, np.int64), per, bits)
        found[left[yes]] = True
        left = left[~yes]
    return found


def peel_by_rejection(scores: list[int], exponent: Fraction, shape: tuple[int, int], bits: Bits) -> Integers:
    """Atoms in order of admission, int64[runs, rounds]: one is proposed, and accepted with exp(eta (C_j - max))."""
    masses, left = np.asarray(scores, np.int64), np.ones((shape[0], len(scores)), bool)
    admitted = np.zeros(shape, np.int64)
    for turn in range(shape[1]):
        highest = np.where(left, masses, np.iinfo(np.int64).min).max(axis=1)
        rows = np.arange(shape[0])
        while rows.size:
            proposed = below(len(scores), rows.size, bits)
            gaps = np.maximum(highest[rows] - masses[proposed], 0) * exponent.numerator
            taken = left[rows, proposed] & survives(gaps, exponent.denominator, bits)
            admitted[rows[taken], turn] = proposed[taken]
            left[rows[taken], proposed[taken]] = False
            rows = rows[~taken]
    return admitted
