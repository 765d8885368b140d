"""The pipeline: what reads the records, what leaves the curator's machine, and what sees the plan alone."""

from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report import marks
from dpspin_audits.report.case import Case
from dpspin_audits.report.marks import Drawing, Look, Mark, Point
from dpspin_audits.report.prose import clipped

INSIDE = ("records", "bounded sums", "noise")
OUTSIDE = ("plan", "writer", "summary")
TITLE = "What leaves the curator’s machine"
FIXED = "public files, fixed before data"
MOST_OUTSIDE = 3  # more uncovered objects than this share one arrow
BOXES = ((12, 74), (112, 104), (242, 74), (374, 66), (474, 70), (578, 86))  # left edges and widths, of 700 pixels
EDGE = 336  # the wall of the curator's machine
ROW, TALL = 64, 36  # top and height of the boxes
LOW = 152  # where the first uncovered object leaves


class Crossing(NamedTuple):
    """What the drawing says of one release."""

    charge: str
    """What covers the plan, in words."""
    outside: tuple[str, ...]
    """Objects that nothing covers."""
    themes: str = ""
    """What covers the themes, in words; empty where they are public."""


def _public(crossing: Crossing) -> str:
    return clipped(f"public files; themes: {crossing.themes}", 40) if crossing.themes else FIXED


def _box(corner: Point, size: Point, words: str, colour: str) -> list[Mark]:
    (x, y), (width, height) = corner, size
    edge = ((x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y))
    centre = (x + Fraction(width) / 2, y + Fraction(height) / 2 + 4)
    bold = colour == "proved"
    look = Look("12", colour, "middle", bold=bold)
    border = marks.line(edge, colour, 2 if bold else 1)
    return [marks.box(corner, size, "paper"), border, marks.words(centre, words, look)]


def _colour(name: str) -> str:
    return "proved" if name in ("noise", "plan") else "ink"


def _shown(crossing: Crossing) -> list[str]:
    names = crossing.outside
    if len(names) <= MOST_OUTSIDE:
        return list(names)
    return [*names[: MOST_OUTSIDE - 1], f"{len(names) - MOST_OUTSIDE + 1} more"]


def _wide(crossing: Crossing, id_: str) -> Drawing:
    names = _shown(crossing)
    bottom = LOW + 36 * len(names)
    drawn: list[Mark] = [
        marks.box((0, 0), (EDGE, bottom), "faint"),
        marks.words((12, 22), "the curator’s machine", Look("12", italic=True)),
        marks.words((374, 22), "anyone may see", Look("12", italic=True)),
        marks.line(((EDGE, 0), (EDGE, bottom)), "ink", 1, "2 3"),
        marks.words((EDGE + 10, ROW - 12), clipped(crossing.charge, 40), Look("11.5", "proved")),
        marks.words((430, ROW + TALL + 40), _public(crossing), Look("11.5")),
    ]
    for at, (name, (x, width)) in enumerate(zip((*INSIDE, *OUTSIDE), BOXES, strict=True)):
        drawn += _box((x, ROW), (width, TALL), name, _colour(name))
        if at:
            before = BOXES[at - 1]
            crosses = name == "plan"
            start = (before[0] + before[1], ROW + TALL // 2)
            drawn += marks.arrow(start, (x - 1, ROW + TALL // 2), "proved" if crosses else "muted")
    drawn.append(marks.line(((509, ROW + TALL + 28), (509, ROW + TALL)), "muted"))
    for at, name in enumerate(names):
        y = LOW + 36 * at + 4
        drawn += marks.arrow((86, y), (470, y), "fail", "7 4")
        drawn.append(marks.words((478, y + 4), clipped(name, 26), Look("12", "fail", bold=True)))
        drawn.append(marks.words((96, y + 16), "nothing covers it", Look("11.5", "fail")))
    return Drawing(id_, "wide", 700, bottom, TITLE, described(crossing), (), tuple(drawn))


def _narrow(crossing: Crossing, id_: str) -> Drawing:
    names, step, width = _shown(crossing), 52, 150
    edge = 30 + 3 * step - 8
    bottom = 30 + 6 * step + 40 * len(names) + 16
    drawn: list[Mark] = [
        marks.box((0, 0), (300, edge), "faint"),
        marks.words((8, 18), "the curator’s machine", Look("12", italic=True)),
        marks.line(((0, edge), (300, edge)), "ink", 1, "2 3"),
        marks.words((178, edge + 16), clipped(crossing.charge.partition(":")[0], 16), Look("11.5", "proved")),
        marks.words((172, edge + 40), "anyone may see", Look("12", italic=True)),
    ]
    for at, name in enumerate((*INSIDE, *OUTSIDE)):
        top = 30 + step * at
        drawn += _box((8, top), (width, 32), name, _colour(name))
        if at:
            drawn.append(marks.line(((83, top - step + 32), (83, top)), "proved" if name == "plan" else "muted", 2))
    for at, name in enumerate(names):
        y = 30 + 6 * step + 40 * at + 10
        drawn.append(marks.words((8, y), clipped(name, 34), Look("13", "fail", bold=True)))
        drawn += marks.arrow((8, y + 10), (292, y + 10), "fail", "7 4")
    return Drawing(id_, "narrow", 300, bottom, TITLE, described(crossing), (), tuple(drawn))


def drawing(crossing: Crossing, form: str) -> Drawing:
    """The pipeline in one width: wide (700 pixels) or narrow (300 pixels)."""
    return _wide(crossing, "pipeline-wide") if form == "wide" else _narrow(crossing, "pipeline-narrow")


def described(crossing: Crossing) -> str:
    """The pipeline in words."""
    inside = "Records, their bounded sums and the noise stay on the curator’s machine."
    said = f"{inside} The plan leaves it ({crossing.charge}); writer and summary see the plan and public files alone."
    if crossing.themes:
        said += f" The themes among them left it before ({crossing.themes})."
    if crossing.outside:
        names = ", ".join(clipped(name, 60) for name in crossing.outside)
        said += f" Nothing covers what leaves besides: {names}."
    return said


def view(case: Case) -> tuple[Drawing, ...]:
    """The figure in both widths."""
    charge = case.root.node("accounting").maybe_node("charge")
    covered = "no charge: generated records" if case.deployment.flag("synthetic") else "no charge in the evidence"
    crossing = Crossing(f"charge {charge.text('id')}" if charge else covered, case.losses.outside)
    if case.built:
        crossing = crossing._replace(themes=f"charge {case.built.charge}" if case.built.charge else covered)
    return tuple(drawing(crossing, form) for form in ("wide", "narrow"))
