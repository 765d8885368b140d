"""The least number with a few digits that is certified: a search proposes it, two decisions settle it."""

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, log10

from dpspin.errors import UsageError

DIGITS = 6
"""Significant digits of losses and factors that are searched for; they are rounded to the side that holds."""
LARGEST = 2.0**30
MOST_STEPS = 20
"""Of the last digit, by which a proposal may be off before nothing is said."""


def falling_root(excess: Callable[[float], float], near: float) -> float:
    """About where a function that falls from x = 0 on passes 0; 0 or LARGEST where it does not between these.

    Args:
        excess: finite.
        near: the size of the root, as far as it is known; positive.
    """
    low = high = min(max(near, 1 / LARGEST), LARGEST)
    if (value := excess(high)) > 0:
        while value > 0 and high < LARGEST:
            low, high = high, 1.5 * high
            value = excess(high)
    else:
        while value <= 0 and low > 1 / LARGEST:
            low, high = low / 1.5, low
            value = excess(low)
    if low == high or low < 1 / LARGEST or high > LARGEST:
        return min(low, LARGEST)
    from scipy.optimize import brentq  # noqa: PLC0415 - its import takes longer than that of all of this package

    return float(brentq(excess, low, high, xtol=1e-9 * high, rtol=1e-9))


def refuse_certain(delta: Fraction) -> None:
    """Refuse a claimed delta that is no probability of failing.

    Raises:
        UsageError: for 0 or below, where only a pure loss can be asked for, and for 1 or above, where any is enough.
    """
    if not 0 < delta < 1:
        raise UsageError("delta", "is not between 0 and 1", "write such as 1e-6, or ask for the pure loss")


def rounded_up(value: Fraction) -> Fraction:
    """A positive number to DIGITS digits, rounded up."""
    unit = _unit(float(value))
    return ceil(value / unit) * unit


def _unit(near: float) -> Fraction:
    return Fraction(10) ** (floor(log10(near)) + 1 - DIGITS)


def least_decimal(holds: Callable[[Fraction], bool], near: float, unit: Fraction | None = None) -> Fraction:
    """The least multiple of a unit that holds, where all larger ones do: it holds and the one below it does not.

    Args:
        holds: an exact decision.
        near: about the least number that holds, positive; a bad one costs time alone.
        unit: by default the last of DIGITS digits of `near`.
    """
    unit = unit or _unit(near)
    count = ceil(Fraction(near) / unit)
    return unit * (_above(holds, unit, count) if not holds(count * unit) else _below(holds, unit, count))


def greatest_decimal(holds: Callable[[Fraction], bool], near: float) -> Fraction:
    """A number of DIGITS digits that holds, close below `near`; 0 where none of the next ones does."""
    unit = _unit(near)
    count = floor(Fraction(near) / unit)
    return next((k * unit for k in range(count + 1, max(count - MOST_STEPS, 0), -1) if holds(k * unit)), Fraction(0))


def _above(holds: Callable[[Fraction], bool], unit: Fraction, fails: int) -> int:
    step = 1
    while not holds((fails + step) * unit):
        fails, step = fails + step, 2 * step
    return _between(holds, unit, fails, fails + step)


def _below(holds: Callable[[Fraction], bool], unit: Fraction, found: int) -> int:
    step = 1
    while found > step and holds((found - step) * unit):
        found, step = found - step, 2 * step
    return _between(holds, unit, max(found - step, 0), found)


def _between(holds: Callable[[Fraction], bool], unit: Fraction, fails: int, found: int) -> int:
    while found - fails > 1:
        middle = (fails + found) // 2
        fails, found = (fails, middle) if holds(middle * unit) else (middle, found)
    return found
