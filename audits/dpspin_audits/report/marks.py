"""Marks of a drawing with finished pixels, and the scale that puts values on them.

Positions are exact rationals until they are written, so that a drawing has the same bytes everywhere.
"""

from fractions import Fraction
from typing import NamedTuple

Pixel = Fraction | int
Point = tuple[Pixel, Pixel]


def px(value: Pixel | float) -> str:
    """A position with at most one decimal."""
    written = f"{float(value):.1f}".removesuffix(".0")
    return "0" if written == "-0" else written


class Path(NamedTuple):
    """A line, polygon or curve."""

    kind: str
    d: str
    fill: str
    """Name of a colour, or empty."""
    stroke: str
    width: str
    dash: str


class Box(NamedTuple):
    """A filled rectangle."""

    kind: str
    x: str
    y: str
    width: str
    height: str
    fill: str
    """Name of a colour, or "hatch-" and a colour."""
    opacity: str


class Dot(NamedTuple):
    """A circle."""

    kind: str
    x: str
    y: str
    r: str
    fill: str
    stroke: str
    dash: str


class Words(NamedTuple):
    """A line of text."""

    kind: str
    x: str
    y: str
    text: str
    look: "Look"


class Look(NamedTuple):
    """How words are set."""

    size: str = "12"
    colour: str = "muted"
    anchor: str = "start"
    bold: bool = False
    italic: bool = False


Mark = Path | Box | Dot | Words


class Drawing(NamedTuple):
    """One figure in one width."""

    id: str
    form: str
    """wide or narrow."""
    width: int
    height: int
    title: str
    description: str
    hatches: tuple[str, ...]
    """Colours for which a hatched fill is needed."""
    marks: tuple[Mark, ...]


def line(points: tuple[Point, ...], colour: str = "ink", width: Pixel | float = 1, dash: str = "") -> Path:
    """An open line through points."""
    d = "M" + "L".join(f"{px(x)} {px(y)}" for x, y in points)
    return Path("path", d, "", colour, px(width), dash)


def shape(points: tuple[Point, ...], fill: str) -> Path:
    """A filled polygon."""
    return Path("path", "M" + "L".join(f"{px(x)} {px(y)}" for x, y in points) + "Z", fill, "", "", "")


def box(corner: Point, size: Point, fill: str, opacity: str = "1") -> Box:
    """A rectangle from its upper left corner."""
    return Box("box", px(corner[0]), px(corner[1]), px(max(size[0], 0)), px(max(size[1], 0)), fill, opacity)


def dot(centre: Point, r: Pixel | float, fill: str, stroke: str = "", dash: str = "") -> Dot:
    """A circle."""
    return Dot("dot", px(centre[0]), px(centre[1]), px(r), fill, stroke, dash)


def words(at: Point, value: str, look: Look) -> Words:
    """A line of text whose anchor stands at a point."""
    return Words("words", px(at[0]), px(at[1]), value, look)


def arrow(start: Point, end: Point, colour: str, dash: str = "") -> tuple[Mark, ...]:
    """A horizontal arrow to the right."""
    (x, y) = end
    return (
        line((start, (x - 5, y)), colour, 2, dash),
        shape(((x, y), (x - 7, y - 3), (x - 7, y + 3)), colour),
    )


class Axis(NamedTuple):
    """A horizontal scale."""

    low: Fraction
    high: Fraction
    left: int
    right: int

    def at(self, value: Fraction) -> Fraction:
        """The pixel of a value, kept inside the scale."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.left + (self.right - self.left) * share

    def ticks(self, most: int = 6) -> list[Fraction]:
        """Round values on the scale, at most so many."""
        step = round_step((self.high - self.low) / most)
        first = -(-self.low // step)
        return [step * k for k in range(first, self.high // step + 1)]


def round_step(least: Fraction) -> Fraction:
    """The smallest of 1, 2, 2.5 and 5 times a power of ten that reaches `least`."""
    power = Fraction(1)
    while power > least:
        power /= 10
    while power * 10 <= least:
        power *= 10
    return next(power * step for step in (1, 2, Fraction(5, 2), 5, 10) if power * step >= least)
