"""What a plan holds and how it may be described, as declared before the data are seen (spec.md section 4)."""

from typing import Annotated

from pydantic import Field, WithJsonSchema

from dpspin.settings import Between, Margin, NonNegative, Positive, Strict, spelt

BELOW_FLOOR = "below noise floor"
BIN = r"[a-z]+( [a-z]+){0,2}"


BinName = Annotated[
    str,
    spelt(BIN, "write one to three words in lower-case letters"),
    WithJsonSchema({"type": "string", "pattern": f"^{BIN}$"}),
]


class Bin(Strict):
    """A named range of normalised support, from its cut up to the next one."""

    name: BinName
    """Lower-case word or words, used verbatim in summaries."""
    from_: NonNegative = Field(alias="from")
    """Lower cut; a support that reaches it belongs to this bin."""


class Display(Strict):
    """Digits after the point in texts; comparisons never use displayed values."""

    mass_digits: int = Field(ge=0, le=6)
    """Digits of a noisy mass."""
    support_digits: int = Field(ge=0, le=6)
    """Digits of a normalised support."""


class PlanShape(Strict):
    """What the plan holds and how it may be described."""

    size: int = Field(ge=1)
    """L: how many atoms the plan admits (all of them where the universe is smaller)."""
    public_denominator: Positive
    """Constant that normalises masses, declared before the data are seen; never a number of records."""
    bins: tuple[Bin, ...] = Field(min_length=1, max_length=99, strict=False)
    """Bins in ascending order, the first from "0"; "below noise floor" is implied below them."""
    margin: Margin
    """Least difference of masses that may be put into words; rule: twice the noise floor."""
    noise_beta: Between
    """Probability that any noise exceeds the noise floor."""
    display: Display
    """Digits in texts."""
