"""The value that every check gives, and how its figures are written."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_FLOOR, Context
from math import ceil, floor, log
from typing import Literal, NamedTuple

Status = Literal["pass", "fail", "inconclusive", "not_run", "error"]
Strength = Literal["proved", "exact", "exact_on_hit", "statistical", "declared"]

PLACES = 4
WORST_FIRST: tuple[Status, ...] = ("fail", "error", "inconclusive", "not_run", "pass")


class Location(NamedTuple):
    """Where a finding stands."""

    file: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome of one check.  "Not run" is a status with a reason, never a pass."""

    id: str
    status: Status
    strength: Strength
    summary: str
    """One sentence, also where nothing was found."""
    figures: Mapping[str, object] = field(default_factory=dict)
    """JSON without floats: integers, decimal strings, lists and objects of them."""
    reason: str | None = None
    """What was seen, or why the check was not run; never a value that a record could have put there."""
    remedy: str | None = None
    location: Location | None = None


Step = tuple[Strength, Callable[[], Check]]
"""A check to be made, and the strength that it has if the subject breaks off."""


def at_least(value: float) -> str:
    """A lower bound as a decimal, rounded down."""
    return f"{floor(value * 10**PLACES) / 10**PLACES:.{PLACES}f}"


def at_most(value: float) -> str:
    """An upper bound as a decimal, rounded up."""
    return f"{ceil(value * 10**PLACES) / 10**PLACES:.{PLACES}f}"


def level(alpha: float) -> str:
    """A probability as a decimal with three significant digits, rounded down."""
    return str(Context(prec=3, rounding=ROUND_FLOOR).create_decimal(repr(alpha)))


def wealth(log_wealth: float) -> str:
    """The decimal logarithm of a bettor's wealth, rounded down: 3 stands for a thousandfold stake."""
    return f"{floor(log_wealth / log(10) * 100) / 100:.2f}"
