"""Exact noise: every draw is the least integer k with U < F(k), for a uniform U that is revealed bit by bit.

Inversion.  Let U be uniform on [0, 1) and F nondecreasing with limit 1.  X = min{k >= 0 : U < F(k)} satisfies
X <= k if and only if U < F(k), so P(X <= k) = F(k): the law is F itself, with no rounding anywhere.
Lazy bits.  If the first b bits of U are the integer u, then u <= 2^b U < u + 1.  So u + 1 <= 2^b F(k) proves U < F(k),
u >= 2^b F(k) proves U >= F(k), and if neither holds more bits are revealed.
Enclosures.  F(k) is known as integers lo <= 2^p F(k) <= hi, and each test uses the end that makes it harder to pass.
Imprecision can therefore cost bits; it cannot change X, which is a function of U alone.

The fast path tests a float64 guess and keeps it only where it clears both thresholds by SLACK; elsewhere it falls back
on the same exact search with the same bits, so both paths give the same integers.  A draw that clears them by so much
is decided by its first word on the exact path as well: both paths take the same words, in the same order.  A release
uses the rigorous path.  What stays observable is time, which depends on U.
"""

import secrets
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import prod
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from dpspin.adjacency import LARGEST_SCALE
from dpspin.enclosure import Tail, gaussian_tail, laplace_tail
from dpspin.errors import ImpossibleError, UsageError

Words = npt.NDArray[np.uint64]
Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]

SLACK = 2.0**-44
"""Bound on the relative error of the float64 guess, 107 times the worst seen at 4.2 million thresholds of both laws."""
GIVE_UP = 1024
"""Revealed bits after which the source must be broken: probability below 2^-900."""
SIGN_BIT = 63


class Bits(Protocol):
    """A source of uniform 64-bit words."""

    def words(self, n: int) -> Words:
        """The next n words."""
        ...


class SystemBits:
    """The operating system's cryptographic generator: the only source that a release may use."""

    def words(self, n: int) -> Words:
        """The next n words."""
        return np.frombuffer(secrets.token_bytes(8 * n), "<u8")


class SeededBits:
    """A reproducible stream for audits and for corpora declared synthetic: whoever holds the seed subtracts the noise.

    Philox counters keyed by the seed and a purpose (Salmon et al. 2011), so that streams of one seed are separate.
    """

    def __init__(self, seed: bytes, purpose: int = 0) -> None:
        entropy = np.random.SeedSequence(int.from_bytes(b"\x01" + seed), spawn_key=(purpose,))
        self._stream = np.random.Philox(entropy)

    def words(self, n: int) -> Words:
        """The next n words."""
        return np.asarray(self._stream.random_raw(n), np.uint64)


class Tape:
    """Recorded words, for tests."""

    def __init__(self, words: npt.ArrayLike) -> None:
        self._left: Words = np.asarray(words, np.uint64)

    def words(self, n: int) -> Words:
        """The next n words.

        Raises:
            ImpossibleError: when fewer are left.
        """
        if n > len(self._left):
            raise ImpossibleError("the tape of random words has ended")
        taken, self._left = self._left[:n], self._left[n:]
        return taken


def least(
    cumulative: Callable[[int, int], tuple[int, int]], guess: Callable[[int, int], int], u: int, b: int, bits: Bits
) -> int:
    """The least k >= 0 with U < F(k).

    Args:
        cumulative: (k, p) to an enclosure of 2^p F(k).
        guess: (u, b) to a first k; only a hint.
        u: the first b bits of U.
        b: how many bits of U are known.
        bits: where further bits come from.

    Raises:
        ImpossibleError: when GIVE_UP bits decide nothing.
    """
    while b < GIVE_UP:
        side = cache(lambda k, u=u, b=b: _side(cumulative(k, 2 * b), u, b))
        k = max(guess(u, b), 0)
        while side(k) < 0:
            k += 1
        while k > 0 and side(k - 1) > 0:
            k -= 1
        if side(k) > 0 and (k == 0 or side(k - 1) < 0):
            return k
        u, b = u << 64 | int(bits.words(1)[0]), b + 64
    raise ImpossibleError("the source of random bits repeats itself")


def _side(enclosure: tuple[int, int], u: int, b: int) -> int:
    """1 if U < F(k) is proved, -1 if U >= F(k) is proved, 0 if more bits are needed; the enclosure has 2b bits."""
    low, high = enclosure
    return int((u + 1) << b <= low) - int(u << b >= high)


class _Law(NamedTuple):
    """The law of |X|, for the exact search and as float64 sees it."""

    scale: Fraction
    """In lattice units; it bounds the slope of the quantile, |dy / dw| <= 2 scale / w."""
    tail: Tail
    """P(|X| > k)."""
    quantile: Callable[[Reals], Reals]
    """The real y whose integer part is |X|, at w = 1 - U."""


def laplace(scale: Fraction, shape: tuple[int, ...], bits: Bits, *, rigorous: bool) -> Integers:
    """Discrete Laplace noise, P(x) proportional to exp(-|x| / scale), exact in law.

    One word a draw: its highest bit is the sign, its other 63 begin U; refinement takes further words, draw by draw.

    Args:
        scale: rational scale in lattice units, b = Delta_1 / epsilon (paper section 5.4).
        shape: shape of the result.
        bits: source of uniform words.
        rigorous: True decides every draw in integer arithmetic (releases); False lets float64 decide the clear cases.

    Raises:
        UsageError: when the scale is outside [2^-40, 2^40] lattice units.
    """

    def quantile(w: Reals) -> Reals:
        b = float(scale)
        return np.asarray(-b * np.log(w) - b * np.log1p(np.expm1(-1 / b) / 2))

    law = _Law(scale, lambda k, p: laplace_tail(k, scale, p), quantile)
    return _signed(law, shape, bits, rigorous=rigorous)


def gaussian(sigma: Fraction, shape: tuple[int, ...], bits: Bits, *, rigorous: bool) -> Integers:
    """Gaussian noise sigma N(0, 1) rounded to the nearest lattice point, exact in law (paper section 5.5).

    Rounding a sum of an integer and a real is adding the integer to the rounded real: the noisy mass is a function of
    mass + sigma N(0, 1), so the cost of continuous noise bounds its own.  Words as in `laplace`.

    Args:
        sigma: rational standard deviation before rounding, in lattice units.
        shape: shape of the result.
        bits: source of uniform words.
        rigorous: as in `laplace`.

    Raises:
        UsageError: when sigma is outside [2^-40, 2^40] lattice units.
    """

    def quantile(w: Reals) -> Reals:
        return np.asarray(0.5 - float(sigma) * ndtri(w / 2))

    law = _Law(sigma, lambda k, p: gaussian_tail(k, sigma, p), quantile)
    return _signed(law, shape, bits, rigorous=rigorous)


def _signed(law: _Law, shape: tuple[int, ...], bits: Bits, *, rigorous: bool) -> Integers:
    """+-|X| by inversion of the law of |X|."""
    if not Fraction(1, LARGEST_SCALE) <= law.scale <= LARGEST_SCALE:
        raise UsageError("noise scale", f"{law.scale} lattice units", "choose epsilon so that it lies in [2^-40, 2^40]")
    words = bits.words(prod(shape))
    u = words & np.uint64(2**SIGN_BIT - 1)
    magnitude, clear = _guess(law, u)

    def cumulative(k: int, p: int) -> tuple[int, int]:
        low, high = law.tail(k, p)
        return (1 << p) - high, (1 << p) - low

    def guess(u: int, b: int) -> int:
        return int(law.quantile(np.asarray(((2 << b) - 2 * u - 1) / (2 << b))))

    for i in np.flatnonzero(~clear | rigorous):
        magnitude[i] = least(cumulative, guess, int(u[i]), SIGN_BIT, bits)
    negative = (words >> np.uint64(SIGN_BIT)).astype(bool)
    return np.where(negative, -magnitude, magnitude).reshape(shape)


def _guess(law: _Law, u: Words) -> tuple[Integers, npt.NDArray[np.bool_]]:
    """|X| from float64 and whether it is beyond doubt: away from both thresholds by the error and the hidden bits."""
    scale = float(law.scale)
    rest = (np.uint64(2**SIGN_BIT - 1) - u).astype(np.float64)  # 1 - U lies in [rest, rest + 1] / 2^63
    y = law.quantile((rest + 0.5) * 2.0**-SIGN_BIT)
    k = np.floor(y)
    with np.errstate(divide="ignore"):
        doubt = SLACK * (y + scale + 1) + scale / rest
    return k.astype(np.int64), (y - k > doubt) & (k + 1 - y > doubt)
