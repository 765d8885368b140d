"""The layout of plan.json, as `plan` writes it and as `verify` reads it from strangers (the neutral plan).

Numbers are exact: decimals or fractions in quotes, or JSON numbers, which `canonical.loads` keeps exact too.  A plan
with a schema is one of this project and has every field.  A stranger's plan may number its atoms as it likes, admit
fewer than L of them and leave out what has a default; `completed` says what is then assumed.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field

from dpspin.decimals import exact
from dpspin.errors import UsageError
from dpspin.plan_shape import BELOW_FLOOR
from dpspin.settings import Exact, Number, Strict, bounded, validated

SCHEMA = "dpspin-plan/1"
MOST_DIGITS = 6
"""Digits after the point of a displayed number, at most."""


def _given(value: Any) -> Any:
    is_number = isinstance(value, int | Fraction) and not isinstance(value, bool | Exact)
    return exact(Fraction(value)) if is_number else value


def _whole(value: Any) -> Any:
    """Whole numbers may be written 3, 3.0 or "3"."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    is_written = isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10
    return int(value) if is_written else value


Given = Annotated[Number, BeforeValidator(_given)]
GivenNonNegative = Annotated[Given, bounded(lambda n: n >= 0, "write a number that is not negative")]
GivenPositive = Annotated[Given, bounded(lambda n: n > 0, "write a number above zero")]
Whole = Annotated[int, BeforeValidator(_whole)]


class AtomRow(Strict):
    """One atom of the universe."""

    index: Whole = Field(ge=0)
    """Its number; atoms are ordered by it."""
    label: str
    """Its name in texts."""
    description: str | None = None
    """Its gloss, if it has one."""


class ReleasedRow(Strict):
    """One admitted atom; everything but its index and mass follows from them."""

    index: Whole = Field(ge=0)
    """Its number in the universe."""
    label: str
    """Its label in the universe."""
    description: str | None = None
    """Its gloss in the universe, where it is repeated."""
    noisy_mass: Given
    """In units of mass, raw."""
    support: Given
    """max(mass, 0) / public_denominator, rounded for display."""
    bin: str
    """Name of its bin."""
    rank: Whole = Field(ge=1)
    """1 for the largest mass."""


class BinRow(Strict):
    """One bin."""

    name: str
    """Its name in texts."""
    lower: GivenNonNegative | None
    """Its lower cut on the normalised support; null below the noise floor."""


class Digits(Strict):
    """Digits after the point in texts."""

    mass_dp: Whole = Field(ge=0, le=MOST_DIGITS)
    """Digits of a noisy mass."""
    support_dp: Whole = Field(ge=0, le=MOST_DIGITS)
    """Digits of a normalised support."""


class PlanFile(Strict):
    """A plan as a file."""

    schema_: Literal["dpspin-plan/1"] | None = Field(default=None, alias="schema")
    """Version of the layout; plans of other implementations have none."""
    plan_id: str
    """In plans of this layout, the first 16 hexadecimal digits of the digest of the rest."""
    universe: tuple[AtomRow, ...] = Field(min_length=1, strict=False)
    """All atoms, admitted or not, in order."""
    released: tuple[ReleasedRow, ...] = Field(strict=False)
    """The admitted atoms."""
    public_denominator: GivenPositive
    """Constant that normalises masses, in units of mass."""
    bins: tuple[BinRow, ...] = Field(min_length=1, max_length=100, strict=False)
    """Bins in ascending order, "below noise floor" first."""
    noise_floor: Given | None = None
    """A mass at or below it may be noise alone."""
    margin: GivenNonNegative
    """Least difference of masses that may be put into words."""
    plan_size: Whole = Field(ge=1)
    """L."""
    mechanism: str
    """Kind of the mechanism."""
    epsilon: GivenPositive
    """Privacy loss claimed for the release."""
    delta: GivenNonNegative
    """Probability outside that loss."""
    display: Digits | None = None
    """Digits in texts."""
    public_text: dict[str, str] = Field(default_factory=dict)
    """Sentences that may stand in a summary verbatim, by id."""
    stamp: str | None = None
    """Why this plan must not be relied on, or null."""


class Completed(NamedTuple):
    """What a plan file says or leaves to its reader, in one form."""

    positions: dict[int, int]
    """Number of an atom -> its position."""
    bins: tuple[str, ...]
    """Names, "below noise floor" or its like first."""
    lowers: tuple[Fraction, ...]
    """Lower cuts of all bins but that one; -1 stands for null where a cut is needed."""
    floor: Fraction
    mass_digits: int
    support_digits: int


def completed(file: PlanFile) -> Completed:
    """Fill in what is missing.

    Bins: the one without a lower cut is "below noise floor", whatever its name, unless no other bin begins at 0: then
    it is the lowest, and "below noise floor" is implied.  Noise floor: the largest mass in that bin, or a number below
    every mass.  Display: as many digits as the longest number has, at most 6.
    """
    below = next((row for row in file.bins if row.lower is None), None)
    if below is not None and below.name.casefold() != BELOW_FLOOR and all(row.lower != 0 for row in file.bins):
        below = None
    name = below.name if below else BELOW_FLOOR
    others = [row for row in file.bins if row is not below]
    lowers = [Fraction(-1) if row.lower is None else row.lower for row in others]
    if below is None and lowers[0] == -1:
        lowers[0] = Fraction(0)
    shown = file.display or Digits(
        mass_dp=max((_digits(row.noisy_mass) for row in file.released), default=0),
        support_dp=max((_digits(row.support) for row in file.released), default=0),
    )
    return Completed(
        positions={index: at for at, index in enumerate(sorted(row.index for row in file.universe))},
        bins=(name, *(row.name for row in others)),
        lowers=tuple(lowers),
        floor=_floor(file, name) if file.noise_floor is None else file.noise_floor,
        mass_digits=shown.mass_dp,
        support_digits=shown.support_dp,
    )


def _digits(number: Fraction) -> int:
    return next((digits for digits in range(MOST_DIGITS) if 10**digits % number.denominator == 0), MOST_DIGITS)


def _floor(file: PlanFile, name: str) -> Fraction:
    below = [row.noisy_mass for row in file.released if row.bin == name]
    return max(below) if below else min([Fraction(0), *(row.noisy_mass for row in file.released)]) - 1


def is_close(support: Fraction, value: Fraction, digits: int) -> bool:
    """Whether a stranger's support is the value, rounded to the digits it is written in or to binary64.

    Args:
        support: as written.
        value: as it follows from the mass.
        digits: of a displayed support; a coarser one is not close.
    """
    written = max(digits, len(exact(support).partition(".")[2]))
    return abs(support - value) <= max(Fraction(1, 2 * 10**written), value / 2**50)


def checked(tree: Any, place: str) -> PlanFile:
    """A tree of `canonical.loads` as a plan file whose rows do not contradict each other.

    Raises:
        UsageError: naming the field.
    """
    file = validated(PlanFile, tree, place)
    for broken, field, problem, remedy in contradictions(file):
        if broken:
            raise UsageError(f"{place}: {field}", problem, remedy)
    return file


def contradictions(file: PlanFile) -> Iterator[tuple[bool, str, str, str]]:
    """Rules that bind several rows: (broken, field, what is wrong, what to write)."""
    numbers, released = [row.index for row in file.universe], [row.index for row in file.released]
    filled = completed(file)
    for field, number in _masses(file):  # they share one lattice, and that of many odd fractions would fill the memory
        is_decimal = pow(10, number.denominator.bit_length(), number.denominator) == 0
        yield not is_decimal, field, "a fraction", "write a decimal"
    if file.schema_ is not None:
        yield from _own(file)
    yield len(set(numbers)) < len(numbers), "universe", "an index stands twice", "number every atom once"
    yield (
        not set(released) <= set(numbers),
        "released",
        "an atom outside the universe",
        "write an index of the universe",
    )
    yield len(set(released)) < len(released), "released", "an atom stands twice", "release every atom once"
    size = min(file.plan_size, len(numbers))
    yield len(released) > size, "released", f"{len(released)} atoms", f"release at most {size}"
    yield not filled.lowers or filled.lowers[0] != 0, "bins", "no bin begins at 0", 'write "0" as the lowest cut'
    yield (
        list(filled.lowers) != sorted(set(filled.lowers)),
        "bins",
        "cuts do not ascend",
        "order the bins by their cuts",
    )
    yield len(set(filled.bins)) < len(filled.bins), "bins", "a name stands twice", "give every bin its own name"


def _masses(file: PlanFile) -> Iterator[tuple[str, Fraction]]:
    """Every number that is a mass, with its field."""
    yield from ((f"released.{at}.noisy_mass", row.noisy_mass) for at, row in enumerate(file.released))
    yield "public_denominator", file.public_denominator
    yield "noise_floor", file.noise_floor or Fraction(0)
    yield "margin", file.margin


def _own(file: PlanFile) -> Iterator[tuple[bool, str, str, str]]:
    """What a plan of this layout may not leave to its reader."""
    size, first = len(file.universe), file.bins[0]
    count = min(size, file.plan_size)
    yield [row.index for row in file.universe] != list(range(size)), "universe", "not in order", "number it from 0"
    yield len(file.released) < count, "released", f"{len(file.released)} atoms", f"release the {count} highest"
    is_below = first.name == BELOW_FLOOR and first.lower is None
    yield not is_below, "bins.0", "another bin", f'write "{BELOW_FLOOR}" and null'
    is_floor = file.noise_floor is not None and file.noise_floor >= 0
    yield not is_floor, "noise_floor", "missing or below zero", "write that of the deployment"
    yield file.display is None, "display", "missing", "add it (see `dpspin schema`)"
