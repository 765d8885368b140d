"""What plots with two scales share: where they stand on the page, and their grids."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import log10
from typing import NamedTuple

from dpspin_audits.report.marks import Axis, Look, Mark, line, words
from dpspin_audits.report.numerals import RAISED

DIGITS = 10**4


class Frame(NamedTuple):
    """The size of a drawing and the edges of its plot, in pixels."""

    form: str
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int

    @property
    def wide(self) -> bool:
        """Whether there is room for words beside marks."""
        return self.form == "wide"

    def across(self, low: Fraction, high: Fraction) -> Axis:
        """The horizontal scale."""
        return Axis(low, high, self.left, self.right)

    def upward(self, low: Fraction, high: Fraction) -> Axis:
        """The vertical scale; pixels count from the top."""
        return Axis(low, high, self.bottom, self.top)


Ticks = Iterable[tuple[Fraction, str]]


def grid(frame: Frame, across: tuple[Axis, Ticks, str], upward: tuple[Axis, Ticks, str]) -> Iterator[Mark]:
    """Lines and figures of both scales, and their names.

    Args:
        frame: where they stand.
        across: the horizontal scale, its ticks and its name.
        upward: the vertical one.
    """
    size = "12" if frame.wide else "11"
    for value, label in across[1]:
        x = across[0].at(value)
        yield line(((x, frame.top), (x, frame.bottom)), "rule")
        yield words((x, frame.bottom + 18), label, Look(size, "muted", "middle"))
    for value, label in upward[1]:
        y = upward[0].at(value)
        yield line(((frame.left, y), (frame.right, y)), "rule")
        yield words((frame.left - 8, y + 4), label, Look(size, "muted", "end"))
    yield line(((frame.left, frame.bottom), (frame.right, frame.bottom)), "ink")
    middle = Fraction(frame.left + frame.right, 2)
    yield words((middle, frame.bottom + 38), across[2], Look("12", "muted", "middle"))
    yield words((2, frame.top - 10), upward[2], Look("12"))


def power_of_ten(value: Fraction) -> Fraction:
    """The decimal logarithm, to four digits, so that a drawing has the same bytes everywhere."""
    return Fraction(round(log10(value) * DIGITS), DIGITS)


def ten(power: int) -> str:
    """A power of ten as it is set."""
    return "1" if power == 0 else "10" + str(power).replace("-", "−").translate(RAISED)
