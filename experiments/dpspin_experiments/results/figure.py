"""One measure against one varied quantity, a line for every mechanism, as the paper's figures 3 to 6 have it."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report.marks import Axis, Drawing, Look, Mark, dot, line, words
from dpspin_audits.report.numerals import brief
from dpspin_audits.report.plot import Frame, grid, power_of_ten
from dpspin_experiments.results.evidence import NAMES

FRAME = Frame("wide", 460, 330, 58, 444, 66, 276)
STEPS = 10**6
"""Figures are put on a grid of millionths, so that a drawing has the same bytes everywhere."""
LOOKS = {
    "laplace": ("proved", ""),
    "gaussian": ("proved", "5 4"),
    "private_top_l": ("measured", ""),
    "private_top_l_tight": ("measured", "5 4"),
}


class Point(NamedTuple):
    """Mean of a measure over the seeds, and its least and largest value."""

    at: Fraction
    mean: float
    least: float
    most: float


class Lines(NamedTuple):
    """What a figure shows."""

    id: str
    title: str
    across: str
    """Name of the varied quantity."""
    upward: str
    """Name of the measure."""
    logarithmic: bool
    """Whether the varied quantity stands on a scale of factors."""
    top: float | None
    """The largest possible value, or None where the data decide."""
    points: dict[str, Sequence[Point]]
    """By mechanism."""


def drawing(lines: Lines) -> Drawing:
    """The figure; every line has its mean as dots and its range over the seeds as bars."""
    return Drawing(
        lines.id, FRAME.form, FRAME.width, FRAME.height, lines.title, described(lines), (), tuple(_marks(lines))
    )


def described(lines: Lines) -> str:
    """The figure in words: where each line begins and ends."""
    parts = [
        f"{NAMES[name]}: {points[0].mean:.3g} at {brief(points[0].at)}, {points[-1].mean:.3g} at {brief(points[-1].at)}"
        for name, points in lines.points.items()
    ]
    return f"{lines.upward} against {lines.across}, means over seeds. " + "; ".join(parts) + "."


def _marks(lines: Lines) -> Iterator[Mark]:
    across, upward = _across(lines), _upward(lines)
    stops = sorted({point.at for points in lines.points.values() for point in points})
    ticks = [(_place(stop, lines), brief(stop)) for stop in stops]
    heights = [(value, brief(value)) for value in upward.ticks(5)]
    yield from grid(FRAME, (across, ticks, lines.across), (upward, heights, ""))
    yield words((2, 14), lines.upward, Look("12", "ink", bold=True))
    for place, (name, points) in enumerate(lines.points.items()):
        yield from _legend(place, name)
        colour, dash = LOOKS[name]
        middles = tuple((across.at(_place(p.at, lines)), upward.at(_exact(p.mean))) for p in points)
        yield line(middles, colour, 2, dash)
        for (x, y), point in zip(middles, points, strict=True):
            shifted = x + place * 2 - 3
            yield line(((shifted, upward.at(_exact(point.least))), (shifted, upward.at(_exact(point.most)))), colour)
            yield dot((x, y), 3, colour)


def _legend(place: int, name: str) -> Iterator[Mark]:
    colour, dash = LOOKS[name]
    x, y = 2 + 230 * (place % 2), 32 + 17 * (place // 2)
    yield line(((x, y - 4), (x + 26, y - 4)), colour, 2, dash)
    yield words((x + 32, y), NAMES[name], Look("11", "ink"))


def _across(lines: Lines) -> Axis:
    places = [_place(point.at, lines) for points in lines.points.values() for point in points]
    low, high = min(places), max(places)
    pad = (high - low) / 20 or Fraction(1, 2)
    return FRAME.across(low - pad, high + pad)


def _upward(lines: Lines) -> Axis:
    most = max(point.most for points in lines.points.values() for point in points)
    high = lines.top if lines.top is not None else (most * 1.05 or 1.0)
    return FRAME.upward(Fraction(0), _exact(high))


def _place(value: Fraction, lines: Lines) -> Fraction:
    return power_of_ten(value) if lines.logarithmic else value


def _exact(value: float) -> Fraction:
    return Fraction(round(value * STEPS), STEPS)
