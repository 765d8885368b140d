"""Checks the certificate of a noise scale, with the standard library alone: `python certcheck.py FILE`, exit 0, 5 or 2.

With mu = Delta_2 / sigma, delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) (Balle and Wang 2018, Theorem 8).
Integers count units of 2^-p; functions return a lower and an upper bound.  `//` and `>>` round down, `up` rounds up.
"""

import json
import sys
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from math import isqrt, nextafter
from pathlib import Path
from typing import Any

MOST_BITS = 4096  # bounds the work on any file; enough for epsilon up to 2,500
THEOREMS = {"gaussian": "Balle and Wang 2018, Theorem 8", "laplace": "Laplace noise loses at most Delta_1 / b"}
NAMES = ("epsilon", "delta", "mass_bound", "delta_squared", "schema")
PURE = {"delta": "0", "delta_lo": "0", "delta_hi": "0", "bits": 0, "predecessor": None}


def up(numerator: int, denominator: int) -> int:
    """The quotient, rounded up."""
    return -(-numerator // denominator)


def root(n: int, d: int) -> tuple[int, int]:
    """The square root of n / d > 0."""
    return isqrt(n // d), isqrt(up(n, d) - 1) + 1


def series(first: int, n: int, d: int, c: int, step: int) -> tuple[int, int]:
    """The sum of first (1 + x / c + x^2 / (c (c + step)) + ...) for x = n / d >= 0."""
    low = high = short = long = first
    while long > 1 or 2 * n > c * d:
        short, long = short * n // (c * d), up(long * n, c * d)
        low, high, c = low + short, high + long, c + step
    return low, high + 1  # of what is left, each term is at most half of the one before


def exp(n: int, d: int, p: int) -> tuple[int, int]:
    """The exponential of n / d >= 0: the series at n / (d 2^k) < 1/32, squared k times."""
    k = max(n.bit_length() - d.bit_length(), 0) + 6
    low, high = series(1 << p, n, d << k, 1, 1)
    for _ in range(k):
        low, high = low * low >> p, up(high * high, 1 << p)
    return low, high


@lru_cache(64)
def inverse_root(p: int) -> tuple[int, int]:
    """1 / sqrt(2 pi), pi by Machin's formula in units of 2^-q; every term is off by less than two units."""
    q, pi, error = 2 * p + 16, 0, 0
    for factor, n in ((16, 5), (-4, 239)):
        for j in range(1, q // (n.bit_length() - 1) + 2, 2):
            pi, error = pi + factor * (2 - j % 4) * ((1 << q) // (j * n**j)), error + 2 * abs(factor)
    return root(1 << 2 * p + q, 2 * (pi + error))[0], root(1 << 2 * p + q, 2 * (pi - error))[1]


def tail(i: int, p: int) -> tuple[int, int]:
    """Phi(-x) at x = i / 2^p: one half less (x + x^3 / 3 + x^5 / (3 * 5) + ...) / (sqrt(2 pi) exp(x^2 / 2))."""
    if i < 0:
        return (1 << p) - tail(-i, p)[1], (1 << p) - tail(-i, p)[0]
    if i * i > p << 2 * p + 1:  # it is below exp(-x^2 / 2) < 2^-p, and exp would not end for huge x
        return 0, 1
    (s, t), (e, f), (r, q) = series(i, i * i, 1 << 2 * p, 3, 2), exp(i * i, 2 << 2 * p, p), inverse_root(p)
    return max((1 << p - 1) - up(t * q, e), 0), (1 << p - 1) - s * r // f


def delta(epsilon: Fraction, ratio: Fraction, p: int) -> tuple[int, int]:
    """The delta at eps for ratio = (Delta_2 / sigma)^2; everything from 0 to 1 where p bits cannot say more."""
    (n, d), (m, c), one = epsilon.as_integer_ratio(), ratio.as_integer_ratio(), 1 << p
    low, high = root(m << 2 * p, c)
    if low == 0 or n > p * d:
        return 0, one
    near, far, loss = (n << 2 * p) // (d * high), up(n << 2 * p, d * low), exp(n, d, p)  # near <= eps / mu <= far
    least = tail(far - low // 2, p)[0] - up(loss[1] * tail(near + low // 2, p)[1], one)
    return max(least, 0), tail(near - up(high, 2), p)[1] - (loss[0] * tail(far + up(high, 2), p)[0] >> p)


def _units(epsilon: Fraction, ratio: Fraction, bits: int) -> int:
    """The k with k <= 2^bits delta(eps) <= k + 1."""
    p = bits + int(3 * epsilon / 2) + 64
    while p <= MOST_BITS:
        low, high = delta(epsilon, ratio, p)
        if high <= ((low >> p - bits) + 1) << p - bits:
            return low >> p - bits
        p *= 2
    raise ValueError(f"{MOST_BITS} bits do not decide delta")


def _normal(held: dict[str, Any], claim: Fraction, epsilon: Fraction, squared: Fraction) -> dict[str, Any]:
    sigma, bits = abs(float.fromhex(held["sigma_hex"])), int(held["bits"])
    below = nextafter(sigma, 0)
    k, more = (_units(epsilon, squared / Fraction(s) ** 2, bits) for s in (sigma, below))
    if not k + 1 <= (limit := claim * 2**bits) < more or 2 * (k // 2) + 2 <= limit < 2 * (more // 2):
        raise ValueError("delta is more than claimed, or a smaller sigma or fewer bits would do")
    low, high, failing = (str(Fraction(n, 2**bits)) for n in (k, k + 1, more))
    witness = {"sigma_hex": below.hex(), "delta_lo": failing}
    return {"sigma_hex": sigma.hex(), "bits": bits, "delta_lo": low, "delta_hi": high, "predecessor": witness}


def _dumps(value: object) -> bytes:
    return (json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _again(held: dict[str, Any]) -> bytes:
    normal = held["mechanism"] == "gaussian"  # below, int reads no exponent: 1e999999999 would fill the memory
    epsilon, claim, bound = (abs(Fraction(*map(int, held[name].split("/")))) for name in NAMES[:3])
    squared = (l1 := {"add_drop": 1, "replacement": 2}[held["adjacency"]] * bound) * (bound if normal else l1)
    noise = _normal(held, claim, epsilon, squared) if normal else PURE | {"scale": str(1 / (epsilon / l1))}
    shown = dict(zip(NAMES, map(str, (epsilon, claim, bound, squared, "dpspin-certificate/1")), strict=True)) | noise
    said = [{name: str(one[name]) for name in ("tool", "version", "epsilon")} for one in held["second_opinions"]]
    shown |= {"mechanism": held["mechanism"], "adjacency": held["adjacency"], "second_opinions": said}
    shown |= {"theorem": THEOREMS[held["mechanism"]], "checker_sha256": sha256(Path(__file__).read_bytes()).hexdigest()}
    return _dumps(shown | {"seal": sha256(_dumps(shown)).hexdigest()})


def fault(data: bytes) -> str | None:
    """What is wrong with a certificate: it is computed again from its claim and its noise.  None where all agrees."""
    try:
        return None if _again(json.loads(data)) == data else "the certificate of this claim and noise has other bytes"
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        return f"{error} ({type(error).__name__})"


if __name__ == "__main__":
    if not Path(sys.argv[-1]).is_file():
        sys.exit(sys.stderr.write(f"{sys.argv[-1]} is no file\n") and 2)
    sys.exit((found := fault(Path(sys.argv[-1]).read_bytes())) and sys.stderr.write(f"refused: {found}\n") and 5)
