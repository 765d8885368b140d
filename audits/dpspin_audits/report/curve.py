"""A privacy curve as a drawing: delta on a logarithmic scale over epsilon."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report.marks import Axis, Drawing, Look, Mark, Point, dot, line, words
from dpspin_audits.report.numerals import brief
from dpspin_audits.report.plot import Frame, grid, power_of_ten, ten

PAPER = Frame("wide", 760, 460, 72, 728, 92, 400)
"""A file of its own, with title and subtitle."""
PAGE = {"wide": Frame("wide", 760, 330, 62, 740, 26, 276), "narrow": Frame("narrow", 300, 290, 44, 288, 26, 236)}
"""Inside a page that says the rest."""


class Place(NamedTuple):
    """A loss and the delta that is known for it."""

    epsilon: Fraction
    delta: Fraction


class Series(NamedTuple):
    """One curve, left to right."""

    name: str
    places: tuple[Place, ...]


class Spot(NamedTuple):
    """A place that the reader asked for, and what stands beside it."""

    place: Place
    label: str
    other: bool
    """True for a claim, which need not be on the curve."""


class Figure(NamedTuple):
    """All that is drawn."""

    title: str
    subtitle: str
    description: str
    whole: Series
    singles: tuple[Series, ...]
    """Curves of the releases that `whole` is composed of; none where it is one alone."""
    spots: tuple[Spot, ...]
    least: int
    """The scale of delta ends at 10^-least."""


def drawing(figure: Figure, frame: Frame = PAPER, id_: str = "curve") -> Drawing:
    """The figure in finished pixels; title and subtitle stand in it on paper of its own alone."""
    places = [place for series in (figure.whole, *figure.singles) for place in series.places]
    highest = max(place.epsilon for place in (*places, *(spot.place for spot in figure.spots)))
    across, upward = frame.across(Fraction(0), highest), frame.upward(Fraction(-figure.least), Fraction(0))
    plot = _Plot(frame, across, upward)
    head = (
        words((frame.left, 34), figure.title, Look("18", "ink", bold=True)),
        words((frame.left, 56), figure.subtitle, Look("13")),
    )
    marks = (
        *(head if frame == PAPER else ()),
        *plot.grid(),
        *(mark for row, series in enumerate(figure.singles) for mark in plot.single(series, row)),
        line(plot.path(figure.whole), "proved", 2.5),
        *(mark for spot in figure.spots for mark in plot.spot(spot)),
    )
    return Drawing(id_, frame.form, frame.width, frame.height, figure.title, figure.description, (), marks)


class _Plot(NamedTuple):
    """A frame with its two scales."""

    frame: Frame
    across: Axis
    upward: Axis

    def grid(self) -> Iterator[Mark]:
        low = int(self.upward.low)
        powers = range(low, 1, 1 if low > -7 else 2 if low > -13 else 5)
        horizontal = [(tick, brief(tick)) for tick in self.across.ticks(8 if self.frame.wide else 4)]
        vertical = [(Fraction(power), ten(power)) for power in powers]
        names = "ε, privacy loss", "δ, probability outside it"
        return grid(self.frame, (self.across, horizontal, names[0]), (self.upward, vertical, names[1]))

    def height(self, delta: Fraction) -> Fraction:
        """The pixel of a delta; 0 and all that is too small stand on the ground."""
        if delta <= Fraction(1, 10 ** int(-self.upward.low)):
            return self.upward.at(self.upward.low)
        return self.upward.at(power_of_ten(delta))

    def path(self, series: Series) -> tuple[Point, ...]:
        """The curve down to the ground."""
        spots: list[Point] = []
        for place in series.places:
            spots.append((self.across.at(place.epsilon), self.height(place.delta)))
            if spots[-1][1] >= self.frame.bottom:
                break
        return tuple(spots)

    def single(self, series: Series, row: int) -> Iterator[Mark]:
        """One of several curves, its name beside its foot, each name a row higher than the one before."""
        path = self.path(series)
        yield line(path, "muted", 1.5, "5 4")
        x, low = path[-1][0] - 20, self.frame.bottom - 10 - 17 * row
        late = x > self.frame.left + 90
        yield words((x if late else x + 28, low), series.name, Look("12", "muted", "end" if late else "start"))

    def spot(self, spot: Spot) -> Iterator[Mark]:
        x, y = self.across.at(spot.place.epsilon), self.height(spot.place.delta)
        colour = "claimed" if spot.other else "proved"
        yield dot((x, y), 5, "paper" if spot.other else colour, colour)
        late = x > self.frame.left + 2 * (self.frame.right - self.frame.left) / 3
        below = late and y + 24 < self.frame.bottom
        at = (x - 12 if late else x + 12, y + 18 if below else y - 8)
        yield words(at, spot.label, Look("13", colour, "end" if late else "start", bold=not spot.other))
