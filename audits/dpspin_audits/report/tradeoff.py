"""The two errors of telling corpora apart: what the claim rules out, and what was measured."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report.marks import Drawing, Look, Mark, Point, dot, line, shape, words
from dpspin_audits.report.numerals import at_most, brief, exponential, upper
from dpspin_audits.report.plot import Frame, grid
from dpspin_audits.report.prose import plain

FRAMES = {"wide": Frame("wide", 420, 400, 48, 388, 26, 346), "narrow": Frame("narrow", 300, 310, 44, 288, 26, 256)}
TICKS = tuple((Fraction(k, 4), brief(Fraction(k, 4))) for k in range(5))
ONE, NONE = Fraction(1), Fraction(0)


class Errors(NamedTuple):
    """Measured errors, left to right, and what the claim allows."""

    points: tuple[tuple[Fraction, Fraction], ...]
    """Shares of false alarms and of misses."""
    false_alarm_margin: Fraction
    miss_margin: Fraction
    epsilon: Fraction
    delta: Fraction
    """As claimed."""


def drawing(errors: Errors, id_: str, form: str) -> Drawing:
    """The region that the claim rules out, the measured points, and the margins around them.

    Args:
        errors: as measured.
        id_: id of the drawing in the page.
        form: wide or narrow.
    """
    frame = FRAMES[form]
    plot = _Plot(frame)
    marks = (
        *grid(
            frame,
            (frame.across(NONE, ONE), TICKS, "false alarms"),
            (frame.upward(NONE, ONE), TICKS, "misses"),
        ),
        *plot.limits(errors),
        *plot.measured(errors),
    )
    title = "Errors of telling two corpora apart"
    return Drawing(id_, form, frame.width, frame.height, title, described(errors), (), marks)


def corner(errors: Errors) -> Fraction:
    """Where both errors are as small as the claim allows: (1 - delta) / (1 + e^epsilon)."""
    return (1 - errors.delta) / (1 + exponential(errors.epsilon))


class _Plot(NamedTuple):
    frame: Frame

    def at(self, false_alarm: Fraction, miss: Fraction) -> Point:
        frame = self.frame
        return frame.across(NONE, ONE).at(false_alarm), frame.upward(NONE, ONE).at(miss)

    def limits(self, errors: Errors) -> Iterator[Mark]:
        """The region below the claim's limit (Kairouz, Oh and Viswanath 2017), and blind guessing."""
        both, end = corner(errors), 1 - errors.delta
        edge = (self.at(NONE, end), self.at(both, both), self.at(end, NONE))
        yield shape((self.at(NONE, NONE), *edge), "faint")
        yield line((self.at(NONE, ONE), self.at(ONE, NONE)), "muted", 1, "2 4")
        yield line(edge, "claimed", 2)
        size = "12" if self.frame.wide else "11"
        low, high = self.at(Fraction(1, 40), Fraction(1, 30)), self.at(Fraction(11, 20), Fraction(1, 2))
        yield words(low, "ruled out by the claim", Look(size, "ink", italic=True))
        yield words(high, "blind guessing", Look(size))

    def measured(self, errors: Errors) -> Iterator[Mark]:
        """Each point with its margins as a box."""
        for false_alarm, miss in errors.points:
            x, y = self.at(false_alarm, miss)
            left, high = self.at(
                max(false_alarm - errors.false_alarm_margin, NONE), min(miss + errors.miss_margin, ONE)
            )
            right, low = self.at(
                min(false_alarm + errors.false_alarm_margin, ONE), max(miss - errors.miss_margin, NONE)
            )
            yield shape(((left, high), (right, high), (right, low), (left, low)), "rule")
            yield dot((x, y), 3, "measured")


def described(errors: Errors) -> str:
    """The figure in words."""
    below = sum(_is_beyond(errors, point) for point in errors.points)
    where = (
        f"{below} of them, with their margins, lie where the claim rules them out"
        if below
        else ("none of them lies, with its margins, where the claim rules it out")
    )
    epsilon, both = plain(upper(errors.epsilon)), at_most(corner(errors), 3)
    return (
        f"{len(errors.points)} measured points; {where}. By the claim of epsilon {epsilon} both errors "
        f"cannot be below {both} at once."
    )


def _is_beyond(errors: Errors, point: tuple[Fraction, Fraction]) -> bool:
    """Whether even the mildest place within the margins breaks the limit."""
    false_alarm, miss = point[0] + errors.false_alarm_margin, point[1] + errors.miss_margin
    factor = exponential(errors.epsilon)
    return miss + factor * false_alarm < 1 - errors.delta or false_alarm + factor * miss < 1 - errors.delta
