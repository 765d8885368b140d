"""The layout of plan.json, as `plan` writes it and as `verify` reads it from strangers.

Numbers are exact: decimals or fractions in quotes, or JSON numbers, which `canonical.loads` keeps exact too.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from dpspin.plan_shape import BELOW_FLOOR
from dpspin.settings import Exact, Number, Strict, bounded

SCHEMA = "dpspin-plan/1"


def _given(value: object) -> object:
    is_number = isinstance(value, int | Fraction) and not isinstance(value, bool | Exact)
    return str(value) if is_number else value


Given = Annotated[Number, BeforeValidator(_given)]
GivenNonNegative = Annotated[Given, bounded(lambda n: n >= 0, "write a number that is not negative")]
GivenPositive = Annotated[Given, bounded(lambda n: n > 0, "write a number above zero")]


class AtomRow(Strict):
    """One atom of the universe."""

    index: int = Field(ge=0)
    """Its position."""
    label: str
    """Its name in texts."""
    description: str | None = None
    """Its gloss, if it has one."""


class ReleasedRow(Strict):
    """One admitted atom; everything but its index and mass follows from them."""

    index: int = Field(ge=0)
    """Its position in the universe."""
    label: str
    """Its label in the universe."""
    noisy_mass: Given
    """In units of mass, raw."""
    support: Given
    """max(mass, 0) / public_denominator, rounded for display."""
    bin: str
    """Name of its bin."""
    rank: int = Field(ge=1)
    """1 for the largest mass."""


class BinRow(Strict):
    """One bin."""

    name: str
    """Its name in texts."""
    lower: GivenNonNegative | None
    """Its lower cut on the normalised support; null below the noise floor."""


class Digits(Strict):
    """Digits after the point in texts."""

    mass_dp: int = Field(ge=0, le=6)
    """Digits of a noisy mass."""
    support_dp: int = Field(ge=0, le=6)
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
    bins: tuple[BinRow, ...] = Field(min_length=2, strict=False)
    """Bins in ascending order, "below noise floor" first."""
    noise_floor: GivenNonNegative
    """A mass at or below it may be noise alone."""
    margin: GivenNonNegative
    """Least difference of masses that may be put into words."""
    plan_size: int = Field(ge=1)
    """L."""
    mechanism: str
    """Kind of the mechanism."""
    epsilon: GivenPositive
    """Privacy loss claimed for the release."""
    delta: GivenNonNegative
    """Probability outside that loss."""
    display: Digits
    """Digits in texts."""
    public_text: dict[str, str] = Field(default_factory=dict)
    """Sentences that may stand in a summary verbatim, by id."""
    stamp: str | None = None
    """Why this plan must not be relied on, or null."""


def contradictions(file: PlanFile) -> Iterator[tuple[bool, str, str, str]]:
    """Rules that bind several rows: (broken, field, what is wrong, what to write)."""
    size, released = len(file.universe), [row.index for row in file.released]
    names, lowers = [row.name for row in file.bins], [row.lower for row in file.bins]
    cuts = [Fraction(-1) if lower is None else lower for lower in lowers[1:]]
    count = min(size, file.plan_size)
    yield [row.index for row in file.universe] != list(range(size)), "universe", "not in order", "number it from 0"
    yield max(released, default=0) >= size, "released", "an atom outside the universe", "write an index of the universe"
    yield len(set(released)) < len(released), "released", "an atom stands twice", "release every atom once"
    yield len(released) != count, "released", f"{len(released)} atoms", f"release the {count} highest"
    yield names[0] != BELOW_FLOOR or lowers[0] is not None, "bins.0", "another bin", f'write "{BELOW_FLOOR}" and null'
    yield cuts[0] != 0, "bins.1.lower", "another cut", 'write "0"'
    yield cuts != sorted(set(cuts)), "bins", "cuts do not ascend", "order the bins by their cuts"
    yield len(set(names)) < len(names), "bins", "a name stands twice", "give every bin its own name"
