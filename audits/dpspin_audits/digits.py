"""Low-order digits of a stranger's masses: whether they lie on a lattice, or are what floating-point noise leaves.

A mass that is drawn on a lattice holds no more than the multiple of its step.  One to which floating-point noise was
added has digits down to the precision of its number, and which of them can occur depends on what noise was added to
(Mironov 2012).  One plan does not show how its noise was drawn.  What it shows is whether masses are multiples of a
step that is coarser than their digits: of 2^-20 or of six decimals, as plans of this project and rounded ones have it,
or of a `granularity` that the settings declare.

Numbers in quotes are exact.  A JSON number may stand for the nearest binary64 number, as most programs write it: it is
a multiple of a step where such a multiple has the same binary64 number, and of no step that is finer than that.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from dpspin.adjacency import MASS_UNIT
from dpspin.decimals import exact
from dpspin.plan_file import MOST_DIGITS
from dpspin.settings import Exact

STEPS = (
    *(Fraction(1, 1 << bits) for bits in range(MASS_UNIT.bit_length())),
    *(Fraction(1, 10**digits) for digits in range(1, MOST_DIGITS + 1)),
)
"""Steps that need no declaration, with the coarser ones of their kind: 2^-20 and six decimals."""
POWER = re.compile(r"2(?:\^|\*\*)-(\d{1,4})")
FINEST = 80
"""A lattice that nobody declared is looked for down to 2^-80."""
SEEN = 20
"""Bits by which masses must be coarser than their digits, all together, for a lattice to be named: by chance, 2^-20."""
LONGEST = 40
"""Characters of a number in a message."""


class Mass(NamedTuple):
    """One released mass."""

    place: str
    number: Fraction
    is_exact: bool
    """In quotes, or a whole number."""


class Problem(NamedTuple):
    """What is wrong with the digits of some masses."""

    found: str
    remedy: str


def number(value: object) -> Fraction | None:
    """An exact number, or None."""
    try:
        return Fraction(Exact(str(value)))
    except ValueError:
        return None


def masses(tree: dict[str, Any]) -> list[Mass]:
    """The masses of a plan's tree (`canonical.loads`), as far as they are numbers."""
    rows = tree["released"] if isinstance(tree.get("released"), list) else []
    written = [(at, row["noisy_mass"]) for at, row in enumerate(rows) if isinstance(row, dict) and "noisy_mass" in row]
    read = [(at, value, number(value)) for at, value in written]
    return [
        Mass(f"released.{at}.noisy_mass", size, isinstance(value, str) or size.denominator == 1)
        for at, value, size in read
        if size is not None
    ]


def steps(stated: Iterable[object]) -> list[Fraction]:
    """The steps that values of the setting `granularity` may mean: 2^-40, a decimal or fraction, a float as it is."""
    return [step for value in stated for step in _steps(value) if step > 0]


def _steps(value: object) -> Iterator[Fraction]:
    power = POWER.fullmatch(str(value))
    if power:
        yield Fraction(1, 1 << int(power[1]))
    if isinstance(value, float) and math.isfinite(value):
        yield Fraction(value)
    written = number(value)
    if written is not None:
        yield written


def problem(found: Sequence[Mass], declared: Sequence[Fraction]) -> Problem | None:
    """What is wrong with the digits of masses; None where a lattice accounts for all.

    Args:
        found: the masses.
        declared: steps of the settings.
    """
    off = [mass for mass in found if not any(_is_multiple(mass, step) for step in (*STEPS, *declared))]
    if not off:
        return None
    more = f" and {len(off) - 1} more" if len(off) > 1 else ""
    words = f"{off[0].place} {exact(off[0].number)[:LONGEST]}{more}: float masses on no declared lattice"
    return Problem(f"{words}; low-order bits may betray what noise was added to", _remedy(off, declared))


def needs(found: Sequence[Mass], declared: Sequence[Fraction]) -> bool:
    """Whether masses are accounted for by what settings declare alone."""
    return problem(found, declared) is None and problem(found, ()) is not None


def _remedy(off: Sequence[Mass], declared: Sequence[Fraction]) -> str:
    visible = _visible(off)
    if visible is not None:
        return f"all are multiples of {visible}: if noise is drawn on that lattice, declare `granularity: {visible}`"
    if any(not mass.is_exact and step <= _precision(mass.number) for mass in off for step in declared):
        return "declare a `granularity` that is coarser than the digits of the numbers, and draw noise on it"
    if declared:
        return "declare the `granularity` that noise is drawn on; these are no multiples of the declared one"
    return (
        "draw noise on a lattice and declare its `granularity` in config.yaml; `dpspin audit --impl` measures the bits"
    )


def _visible(off: Sequence[Mass]) -> str | None:
    """The coarsest power of two that all are multiples of, where that is no chance."""
    for bits in range(MASS_UNIT.bit_length(), FINEST):
        step = Fraction(1, 1 << bits)
        if all(_is_multiple(mass, step) for mass in off):
            coarser = sum(math.log2(step / _precision(mass.number)) for mass in off)
            return f"2^-{bits}" if coarser >= SEEN else None
    return None


def _is_multiple(mass: Mass, step: Fraction) -> bool:
    """Whether a mass is a multiple of a step, by itself or as the binary64 number of one."""
    if mass.is_exact and (mass.number / step).denominator == 1:
        return True
    if step <= _precision(mass.number) or not _is_binary64(mass.number):
        return False
    return float(round(mass.number / step) * step) == float(mass.number)


def _precision(value: Fraction) -> Fraction:
    """Distance of the binary64 numbers around a value; none is as large as those beyond the largest."""
    try:
        return Fraction(math.ulp(float(value)))
    except OverflowError:
        return abs(value)


def _is_binary64(value: Fraction) -> bool:
    """Whether a decimal is how programs write a binary64 number: the shortest, or 17 digits; others could hold more."""
    near = float(value)
    return value in (Fraction(repr(near)), Fraction(f"{near:.17g}"), Fraction(near))
