"""The wealth of the bettors over runs, in one picture: evidence against the claim, as it came."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from typing import NamedTuple

from dpspin_audits.report.marks import Axis, Drawing, Look, Mark, Point, dot, line, words
from dpspin_audits.report.numerals import counted, sentence, spelled
from dpspin_audits.report.plot import Frame, grid, power_of_ten, ten
from dpspin_audits.report.prose import clipped

FRAMES = {"wide": Frame("wide", 760, 320, 62, 600, 26, 266), "narrow": Frame("narrow", 300, 290, 44, 288, 26, 236)}
FIRST = Fraction(2)
"""The scale of runs begins at 100."""
LEAST = Fraction(-2)
"""A loss beyond a hundredth of the stake is drawn as that."""


class Path(NamedTuple):
    """One bettor."""

    pair: str
    score: str
    about_law: bool
    """Whether the bets were against what the stated law promises, and not against the claim itself."""
    line: Fraction
    """Decimal logarithm of 1 / alpha: where the promise is refuted."""
    reached: int | None
    """Runs after which the line was reached."""
    looks: tuple[tuple[int, Fraction], ...]
    """Runs, and the decimal logarithm of the wealth then."""


def drawing(paths: tuple[Path, ...], id_: str, form: str) -> Drawing:
    """One line for each bettor, on logarithmic scales.

    Args:
        paths: at least one.
        id_: id of the drawing in the page.
        form: wide or narrow.
    """
    frame = FRAMES[form]
    most = max(runs for path in paths for runs, _ in path.looks)
    top = max(max((wealth for _, wealth in path.looks), default=LEAST) for path in paths)
    limit = max(path.line for path in paths)
    across = frame.across(FIRST, max(power_of_ten(Fraction(max(most, 1000))), FIRST + 1))
    upward = frame.upward(LEAST, max(limit, top) + Fraction(1, 2))
    runs = [(Fraction(power), f"{10**power:,}") for power in range(2, int(across.high) + 1)]
    step = _step(upward.high)
    powers = [(Fraction(power), ten(power)) for power in range(-(2 // step) * step, int(upward.high) + 1, step)]
    marks = (
        *grid(frame, (across, runs, "runs"), (upward, powers, "wealth of a bettor who began with 1")),
        line(((frame.left, upward.at(limit)), (frame.right, upward.at(limit))), "fail", 2),
        *_limit(frame, upward.at(limit)),
        *(mark for path in paths for mark in _path(path, across, upward)),
        *_names(paths, frame, upward),
    )
    return Drawing(
        id_, form, frame.width, frame.height, "Evidence against the claim, run by run", described(paths), (), marks
    )


def _step(high: Fraction) -> int:
    """Powers of ten between two lines of the grid: few lines, however rich a bettor grew."""
    nice: Iterator[int] = (digit * 10**zeros for zeros in count() for digit in (1, 2, 5))
    return next(step for step in nice if high < 7 * step or (step == 2 and high < 20))


def _limit(frame: Frame, y: Fraction) -> Iterator[Mark]:
    yield words((frame.right - 4, y - 7), "refuted from here on: 1 / α", Look("12", "fail", "end", bold=True))


def _colour(path: Path) -> str:
    return "fail" if path.reached is not None else "proved" if path.about_law else "measured"


def _points(path: Path, across: Axis, upward: Axis) -> tuple[Point, ...]:
    shown = [(runs, wealth) for runs, wealth in path.looks if runs >= 10**FIRST] or list(path.looks[-1:])
    return tuple((across.at(power_of_ten(Fraction(max(runs, 1)))), upward.at(wealth)) for runs, wealth in shown)


def _path(path: Path, across: Axis, upward: Axis) -> Iterator[Mark]:
    points = _points(path, across, upward)
    yield line(points, _colour(path), 1.8, "5 3" if path.about_law else "")
    yield dot(points[-1], 3, _colour(path))


def _names(paths: tuple[Path, ...], frame: Frame, upward: Axis) -> Iterator[Mark]:
    """Beside their ends, where there is room: refuting bettors by the pair that they bet on, the rest as one."""
    if not frame.wide:
        return
    won = [path for path in paths if path.reached is not None]
    for row, path in enumerate(won[:3]):
        y = upward.at(min(path.looks[-1][1], upward.high)) + 14 * row + 4
        yield words((frame.right + 10, y), clipped(path.pair, 24), Look("12", "fail", bold=True))
    if len(won) < len(paths):
        last = max(path.looks[-1][1] for path in paths if path.reached is None)
        y = upward.at(last) + 4
        yield words((frame.right + 10, y), "no bettor grew rich" if not won else "the others", Look("12", "measured"))


def said(paths: tuple[Path, ...]) -> str:
    """What stands below the figure: its words, and what a dashed line is where there is one."""
    law = any(path.about_law for path in paths)
    return described(paths) + " Dashed: bets against what the stated law promises beyond the claim." * law


def described(paths: tuple[Path, ...]) -> str:
    """The figure in words."""
    won = [path for path in paths if path.reached is not None]
    if not won:
        who = "The one bettor did not reach" if len(paths) == 1 else f"None of {spelled(len(paths))} bettors reached"
        return f"{who} the line where the promise would be refuted."
    first = min(won, key=lambda path: path.reached or 0)
    when = f"the first after {first.reached:,} runs, on {clipped(first.pair, 60)}"
    return f"{sentence(spelled(len(won)))} of {counted(len(paths), 'bettor')} reached the line; {when}."
