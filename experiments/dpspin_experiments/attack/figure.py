"""The demonstration in one picture: how often the attacker is right, from a coin toss upwards."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from dpspin_audits.report.marks import Axis, Drawing, Look, Mark, box, dot, line, words
from dpspin_audits.report.plot import Frame
from dpspin_experiments.attack.demonstration import CHANCE, Row

FRAMES = {"wide": Frame("wide", 760, 0, 190, 690, 8, 0), "narrow": Frame("narrow", 300, 0, 8, 288, 8, 0)}
"""The height follows from the number of rows."""
LANE = {"wide": 32, "narrow": 46}
HEADING = 34
COLOURS = {"clusters": "measured", "plan": "proved"}
NAMES = {"clusters": "Groups of at least {} records", "plan": "A plan, with noise"}
ROOM = 0.9
"""A longer bar has its figure inside."""


def drawing(rows: Sequence[Row], smallest: int, form: str) -> Drawing:
    """A bar for every row; a wall where a promise ends.

    Args:
        rows: clusters first, plans after them.
        smallest: k of the clusters.
        form: wide or narrow.
    """
    frame = FRAMES[form]
    axis, y, marks = frame.across(Fraction(CHANCE), Fraction(1)), frame.top, list[Mark]()
    for at, row in enumerate(rows):
        if at == 0 or row.release != rows[at - 1].release:
            y += HEADING
            marks.append(words((8, y - 10), NAMES[row.release].format(smallest), Look("13", "ink", bold=True)))
        y += LANE[form]
        marks += _row(row, axis, frame, y - 14)
    title = "How often the attacker names the target's secret"
    scale = tuple(_scale(axis, frame, y + 4))
    return Drawing(f"attack-{form}", form, frame.width, y + 50, title, described(rows), (), (*scale, *marks))


def _scale(axis: Axis, frame: Frame, bottom: int) -> Iterator[Mark]:
    for share in range(50, 101, 10):
        x, first = axis.at(Fraction(share, 100)), share == 50
        yield line(((x, frame.top + HEADING), (x, bottom)), "ink" if first else "rule")
        anchor = "middle" if frame.wide else "start" if first else "end" if share == 100 else "middle"
        yield words((x, bottom + 18), f"{share}\u00a0%", Look("12", "muted", anchor))
    yield words((axis.left, bottom + 38), "share of right guesses; a coin toss gives 50 %", Look("12", "muted"))


def _row(row: Row, axis: Axis, frame: Frame, y: int) -> Iterator[Mark]:
    colour, end = COLOURS[row.release], axis.at(_exact(row.success))
    name = Look("12", "ink", "end" if frame.wide else "start")
    yield line(((axis.at(_exact(max(row.least, CHANCE))), y), (axis.at(_exact(max(row.most, CHANCE))), y)), "ink", 1.2)
    yield words((axis.left - 12, y + 4) if frame.wide else (axis.left + 4, y - 12), crafted(row), name)
    yield box((axis.left, y - 7), (end - axis.left, 14), colour) if end > axis.left else dot((axis.left, y), 4, colour)
    if row.bound is not None:
        wall = axis.at(_exact(row.bound))
        yield line(((wall, y - 12), (wall, y + 12)), "ink", 2.5)
        yield words((wall + 6, y + 4), f"at most {percent(row.bound)}", Look("12", "ink"))
    if not frame.wide:
        yield words((axis.right, y - 12), percent(row.success), Look("12", colour, "end", bold=True))
    elif row.success > ROOM:
        yield words((end - 6, y + 4), percent(row.success), Look("12", "paper", "end", bold=True))
    else:
        beyond = max(end, axis.at(_exact(row.most)))
        yield words((beyond + 8, y + 4), percent(row.success), Look("12", colour, bold=True))


def _exact(share: float) -> Fraction:
    return Fraction(share).limit_denominator(10**6)


def percent(share: float) -> str:
    """A share with one decimal, or with as many as keep what is below all from reading like all."""
    digits = next((digits for digits in range(1, 6) if share >= 1 or f"{100 * share:.{digits}f}"[:3] != "100"), 6)
    return f"{100 * share:.{digits}f}\u00a0%"


def crafted(row: Row) -> str:
    """How many records the attacker wrote."""
    return "no crafted record" if row.crafted == 0 else f"{row.crafted:,} crafted records"


def described(rows: Sequence[Row]) -> str:
    """The figure in words."""
    said = []
    for row in rows:
        limit = "nothing limits it" if row.bound is None else f"at most {percent(row.bound)} is possible"
        said.append(f"{row.release}, {crafted(row)}: right in {percent(row.success)} of the runs, {limit}.")
    return " ".join(said)
