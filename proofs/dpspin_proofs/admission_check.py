"""Checks a certificate of admission by peeling with Gaussian values, with the standard library and the certcheck.py
beside it: `python admission_check.py FILE`, exit 0, 5 or 2.

delta(eps) is the larger one over the directions (al, be) of the mean of Psi(x), where x is normal with the variance
(Delta_2 / sigma)^2 and the mean eps less half of that, and with n = L + 1, top = al + L be, end = -(be + L al)
    core(y; al, be) = (1 - e^(-y/n))^n / ((1 - e^-(al+be)) (1 - e^-be)^(L-1)),
    Psi(x) = core(top - x; al, be) for al - be < x <= top and 0 beyond,
    Psi(x) = 1 - e^x + e^x core(x - end; be, al) for end < x <= al - be and 1 - e^x before.
Integers count units of 2^-p; pairs are a lower and an upper bound.
"""

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from importlib import import_module
from math import comb, inf, nextafter
from pathlib import Path
from typing import Any

base: Any = import_module("dpspin_proofs.certcheck" if __package__ else "certcheck")
Pair = tuple[int, int]
Law = tuple[Fraction, Fraction]  # mean and variance of x
THEOREM = "Admission by peeling, Theorems 3 and 4 (docs/accounting.md)"
FIXED = {"schema": "dpspin-admission-certificate/1", "mechanism": "private_top_l", "theorem": THEOREM}
NAMES = ("mass_bound", "selection_share", "epsilon", "delta", "factor")


def exponential(x: Fraction, p: int) -> Pair:
    """The exponential of any x."""
    low, high = base.exp(abs(x.numerator), x.denominator, p) if x > -p else (1 << 2 * p, 1 << 3 * p)
    return (low, high) if x >= 0 else ((1 << 2 * p) // high, base.up(1 << 2 * p, low))


def product(x: Pair, y: Pair, p: int) -> Pair:
    """The product of two numbers that are not negative."""
    return max(x[0], 0) * max(y[0], 0) >> p, base.up(x[1] * y[1], 1 << p)


def beyond(t: Fraction, mu: Pair, p: int) -> Pair:
    """P(N(0, 1) > t / mu)."""
    n, d = t.numerator << 2 * p, t.denominator
    ends = [n // (d * m) for m in mu] + [base.up(n, d * m) for m in mu]
    return base.tail(max(ends), p)[0], base.tail(min(ends), p)[1]


def mean(term: tuple[Fraction, Fraction], within: tuple[Any, Fraction], law: Law, p: int) -> Pair:
    """The mean of exp(slope x + offset) over low < x <= high."""
    (slope, offset), (low, high), (center, square) = term, within, law
    mu, moved = base.root(square.numerator << 2 * p, square.denominator), center + slope * square
    near, far = (1 << p, 1 << p) if low is None else beyond(low - moved, mu, p), beyond(high - moved, mu, p)
    size = exponential(offset + slope * center + slope**2 * square / 2, p)
    return product(size, (near[0] - far[1], near[1] - far[0]), p)


def core(rounds: int, own: Fraction, other: Fraction, p: int) -> Iterator[tuple[int, Fraction, Pair]]:
    """The terms (sign, share, size) of core: the sum of sign * size * e^(-share y), by the binomial theorem."""
    one, n, (low, high) = 1 << p, rounds + 1, (1 << p, 1 << p)
    for least, most in [exponential(-x, p) for x in (own + other, *[other] * (rounds - 1))]:
        low, high = (low << p) // (one - least), base.up(high << p, one - most)
    for k in range(n + 1):
        yield (-1) ** k, Fraction(k, n), (low * comb(n, k), high * comb(n, k))


def direction(rounds: int, al: Fraction, be: Fraction, law: Law, p: int) -> Pair:
    """The mean of Psi; without rounds it is 1 - e^x before 0."""
    zero, one, unit, end = Fraction(0), Fraction(1), (1 << p, 1 << p), -(be + rounds * al)
    turn, top = (al - be, al + rounds * be) if rounds else (zero, zero)
    parts: list[Any] = [(1, unit, (zero, zero), (None, turn)), (-1, unit, (one, zero), (None, turn))]
    if rounds and be:
        parts += [(sign, size, (x, -x * top), (turn, top)) for sign, x, size in core(rounds, al, be, p)]
    if rounds and al:
        parts += [(sign, size, (1 - x, x * end), (end, turn)) for sign, x, size in core(rounds, be, al, p)]
    signed = [(sign, product(size, mean(term, within, law, p), p)) for sign, size, term, within in parts]
    return sum(x[0] if s > 0 else -x[1] for s, x in signed), sum(x[1] if s > 0 else -x[0] for s, x in signed)


def _units(both: int, rounds: int, a: Fraction, law: Law, bits: int) -> int:
    """The k with k <= 2^bits delta <= k + 1; `both` for replacement, whose corpora both have mass of their own."""
    fine = max(a.denominator.bit_length() - a.numerator.bit_length(), 0)
    p = bits + (rounds + 1) * (fine + 3) + int(3 * (law[0] + law[1]) / 2) + 96
    while p <= base.MOST_BITS:
        sides = ((a, a),) if both else ((Fraction(0), a), (a, Fraction(0)))
        pairs = [direction(rounds, al, be, law, p) for al, be in sides]
        low, high = max(x[0] for x in pairs), max(x[1] for x in pairs)
        if high <= ((low >> p - bits) + 1) << p - bits:
            return low >> p - bits
        p *= 2
    raise ValueError("the bits do not decide delta")


def _again(held: dict[str, Any]) -> bytes:
    both = {"add_drop": 0, "replacement": 1}[held["adjacency"]]
    bound, share, epsilon, claim, factor = told = [abs(Fraction(*map(int, held[x].split("/")))) for x in NAMES]
    size, width, bits = (int(held[name]) for name in ("plan_size", "universe_size", "bits"))
    admitted, sigma, before = min(size, width), float.fromhex(held["split"]["sigma_hex"]), factor - Fraction(1, 10**6)
    if not (0 < admitted <= 64 and max(share, claim) < 1 and epsilon < 2500 and 10**6 % factor.denominator == 0):
        raise ValueError("a number is out of its range")
    squared, rounds = bound**2 * (1 + (both and admitted > 1)), admitted if size < width else 0
    split, left, p = share * epsilon / (admitted + both) / bound, (1 - share) * epsilon, 320 + int(3 * epsilon / 2)
    most, least = (base.delta(left, squared / Fraction(s) ** 2, p) for s in (sigma, nextafter(sigma, 0)))
    exact = [(f, f * Fraction(sigma)) for f in (factor, before)]
    wide = [(f, s if (s := float(x)) >= x else nextafter(s, inf)) for f, x in exact]
    laws = [(split * bound / f, (epsilon - v / 2, v)) for f, s in wide for v in [squared / Fraction(s) ** 2]]
    k, more = (_units(both, rounds, a, law, bits) for a, law in laws)
    tells = k + 1 <= (limit := claim * 2**bits) < more and not 2 * (k // 2) + 2 <= limit < 2 * (more // 2)
    if not (tells and most[1] <= claim * 2**p < least[0]):
        raise ValueError("delta is more than claimed, or less noise or fewer bits would do")
    low, high, failing = (str(Fraction(n, 2**bits)) for n in (k, k + 1, more))
    shown = dict(zip(NAMES, map(str, told), strict=True)) | {"adjacency": held["adjacency"]} | FIXED
    shown |= {"bits": bits, "delta_lo": low, "delta_hi": high, "plan_size": size, "universe_size": width}
    shown |= {"sigma_hex": wide[0][1].hex(), "split": {"exponent": str(split), "sigma_hex": sigma.hex()}}
    shown |= {"exponent": str(split / factor), "predecessor": {"factor": str(before), "delta_lo": failing}}
    shown["checker_sha256"] = sha256(Path(__file__).read_bytes()).hexdigest()
    return bytes(base._dumps(shown | {"seal": sha256(base._dumps(shown)).hexdigest()}))


def fault(data: bytes) -> str | None:
    """What is wrong with a certificate: it is computed again from its claim and its split.  None where all agrees."""
    try:
        return None if _again(json.loads(data)) == data else "the certificate of this claim and split has other bytes"
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        return f"{error} ({type(error).__name__})"


if __name__ == "__main__":
    if not Path(sys.argv[-1]).is_file():
        sys.exit(sys.stderr.write(f"{sys.argv[-1]} is no file\n") and 2)
    sys.exit((found := fault(Path(sys.argv[-1]).read_bytes())) and sys.stderr.write(f"refused: {found}\n") and 5)
