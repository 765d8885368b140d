"""The released masses: dot and noise band of each theme, noise floor, bins and margin."""

from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report import marks
from dpspin_audits.report.marks import Axis, Drawing, Look, Mark
from dpspin_audits.report.numerals import at_most, brief, counted, nearest, sentence, spelled
from dpspin_audits.report.prose import clipped

MOST_ATOMS = 30  # more themes than this make a picture that nobody reads; the table has all
LETTER = Fraction(33, 5)  # width of a character at 12 pixels, a little more than the mean


class Atom(NamedTuple):
    """A released theme; the mass in units of mass."""

    rank: int
    label: str
    mass: Fraction
    support: str
    bin: str


class Terms(NamedTuple):
    """How masses are read; floor, margin and cuts in units of mass."""

    floor: Fraction
    margin: Fraction
    bins: tuple[tuple[str, Fraction], ...]
    """Names and lower cuts, without the bin below the floor."""
    digits: int
    noised: str
    """The themes that the floor is about, in words."""
    confidence: str


class Frame(NamedTuple):
    """Where things stand in one form of the drawing."""

    wide: bool
    axis: Axis
    row: int
    top: int
    bottom: int


def _frame(atoms: tuple[Atom, ...], terms: Terms, form: str) -> Frame:
    wide = form == "wide"
    row, top = (26, 30) if wide else (40, 30 if terms.bins else 12)
    low = min(Fraction(0), *(atom.mass - terms.floor for atom in atoms if atom.mass < 0), Fraction(0))
    high = max(terms.floor * 2, *(atom.mass + terms.floor for atom in atoms), Fraction(1, 1000)) * Fraction(21, 20)
    axis = Axis(low, high, 262 if wide else 8, 690 if wide else 286)
    return Frame(wide, axis, row, top, top + row * len(atoms) + (34 if wide else 6))


def _regions(terms: Terms, frame: Frame) -> list[Mark]:
    """The hatched floor, the cuts of the bins, and the names that fit between them."""
    axis = frame.axis
    left, floor = axis.at(axis.low), axis.at(terms.floor)
    found: list[Mark] = [marks.box((left, frame.top), (floor - left, frame.bottom - frame.top), "hatch-muted", ".55")]
    cuts = [max(cut, terms.floor) for _, cut in terms.bins] + [axis.high]
    spans = [("floor", axis.low, terms.floor), *zip((name for name, _ in terms.bins), cuts, cuts[1:], strict=False)]
    for name, start, end in spans:
        x, width = axis.at(start), axis.at(end) - axis.at(start)
        if terms.floor < start < axis.high:
            found.append(
                marks.line(((x, frame.top - 4), (x, frame.bottom)), "muted" if frame.wide else "rule", 1, "4 3")
            )
        if width >= LETTER * len(name):
            found.append(marks.words((x + width / 2, frame.top - 12), name, Look(anchor="middle")))
    return found


def _atom(atom: Atom, at: int, terms: Terms, frame: Frame) -> list[Mark]:
    axis, low = frame.axis, atom.mass <= terms.floor
    y = frame.top + frame.row * at + (frame.row // 2 + 2 if frame.wide else frame.row - 10)
    left, right = axis.at(atom.mass - terms.floor), axis.at(atom.mass + terms.floor)
    look = Look("13" if frame.wide else "12", "muted" if low else "ink")
    value = nearest(atom.mass, terms.digits)
    if frame.wide:
        texts = [
            marks.words((axis.left - 14, y + 4), clipped(atom.label, 34), look._replace(anchor="end")),
            marks.words((756, y + 4), value, look._replace(anchor="end")),
        ]
    else:
        texts = [
            marks.words((axis.left, y - 11), clipped(atom.label, 35), look),
            marks.words((axis.right + 10, y - 11), value, look._replace(anchor="end")),
        ]
    band = marks.box((left, y - 4), (right - left, 8), "measured", ".25")
    return [*texts, band, marks.dot((axis.at(atom.mass), y), 4, "paper" if low else "measured", "measured")]


def _margin(terms: Terms, frame: Frame) -> list[Mark]:
    """The margin as a length, where it fits."""
    axis, y = frame.axis, frame.bottom - 10
    end = Fraction(axis.right)
    length = axis.at(axis.low + terms.margin) - axis.left
    if not frame.wide or not 8 <= length < (axis.right - axis.left) / 2:
        return []
    strokes = [
        ((end - length, y), (end, y)),
        ((end - length, y - 4), (end - length, y + 4)),
        ((end, y - 4), (end, y + 4)),
    ]
    name = f"margin {at_most(terms.margin, 2)}"
    return [
        *(marks.line(stroke, "ink", 1.5) for stroke in strokes),
        marks.words((end - length - 8, y + 4), name, Look(colour="ink", anchor="end")),
    ]


def _scale(terms: Terms, frame: Frame) -> list[Mark]:
    axis, bottom = frame.axis, frame.bottom
    found: list[Mark] = [marks.line(((axis.left, bottom), (axis.right, bottom)), "muted")]
    if axis.low < 0:
        found.append(marks.line(((axis.at(Fraction(0)), frame.top), (axis.at(Fraction(0)), bottom)), "muted"))
    for tick in axis.ticks():
        x = axis.at(tick)
        found.append(marks.line(((x, bottom), (x, bottom + 4)), "muted"))
        found.append(marks.words((x, bottom + 17), brief(tick), Look(anchor="middle")))
    span = f"noisy mass; band: ± {at_most(terms.floor, 2)}"
    tail = f", for {terms.noised} at once ({terms.confidence})" if frame.wide else f", {terms.noised}"
    found.append(marks.words((axis.left, bottom + 34), span + tail, Look()))
    return found


def masses(atoms: tuple[Atom, ...], terms: Terms, id_: str, form: str) -> Drawing:
    """One row for each released theme, in rank order.

    Args:
        atoms: released themes; the first thirty are drawn.
        terms: floor, margin and bins.
        id_: id of the drawing in the page.
        form: wide (760 pixels) or narrow (300 pixels).
    """
    shown = atoms[:MOST_ATOMS]
    frame = _frame(shown, terms, form)
    drawn = [
        *_regions(terms, frame),
        *_scale(terms, frame),
        *(mark for at, atom in enumerate(shown) for mark in _atom(atom, at, terms, frame)),
        *_margin(terms, frame),
    ]
    return Drawing(
        id_, form, 760 if frame.wide else 300, frame.bottom + 42, "Released masses with their noise band",
        described(atoms, terms), ("muted",), tuple(drawn),
    )  # fmt: skip


def described(atoms: tuple[Atom, ...], terms: Terms) -> str:
    """The figure in words."""
    first, last = (nearest(atom.mass, terms.digits) for atom in (atoms[0], atoms[-1]))
    low = sum(atom.mass <= terms.floor for atom in atoms)
    number = sentence(counted(len(atoms), "released theme"))
    return f"{number}, from {first} down to {last}. At or below the noise floor: {spelled(low) if low else 'none'}."
