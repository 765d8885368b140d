"""The ladder: claimed against accounted against measured loss, and what no charge covers, in one picture."""

from fractions import Fraction
from typing import NamedTuple

from dpspin_audits.report import marks
from dpspin_audits.report.marks import Axis, Drawing, Look, Mark
from dpspin_audits.report.numerals import at_least, brief, inscribed, number, spelled, upper
from dpspin_audits.report.prose import clipped

ROOM = Fraction(13, 10)  # the scale ends this far beyond the largest bound: "above the claim" must be seen
MOST_OUTSIDE = 3  # more uncovered objects than this share one lane


class Losses(NamedTuple):
    """What the ladder compares; None where nothing was assessed."""

    claimed: Fraction
    delta: Fraction
    """The claimed delta, at which every loss is compared."""
    accounted: Fraction | None
    needed: Fraction | None
    """The delta of the accounted loss."""
    measured: Fraction | None
    runs: int
    confidence: str
    outside: tuple[str, ...]
    """Objects that no charge covers."""
    unit: str
    lawful: bool
    """False where the masses were found not to follow the stated law."""

    @property
    def at_delta(self) -> str:
        """The claimed delta as a remark, empty where it is 0."""
        return f" at δ = {inscribed(number(self.delta))}" if self.delta else ""

    @property
    def beyond(self) -> bool:
        """Whether the accounted loss needs more delta than is claimed."""
        return self.needed is not None and self.needed > self.delta

    @property
    def between(self) -> tuple[Fraction, Fraction] | None:
        """The measured and the accounted bound, where the loss lies between them."""
        if self.measured is None or self.accounted is None or self.beyond or not self.lawful:
            return None
        return (self.measured, self.accounted) if self.measured <= self.accounted else None


class Lane(NamedTuple):
    """One row of the ladder."""

    label: str
    value: str
    note: str
    colour: str
    sign: str
    """limit, bar, wall, open or absent."""
    amount: Fraction


class Frame(NamedTuple):
    """Where things stand in one form of the drawing."""

    wide: bool
    axis: Axis
    top: int
    lane: int
    bottom: int

    def base(self, at: int) -> int:
        """Height of a lane's middle line."""
        return self.top + self.lane * at + self.lane - (17 if self.wide else 14)


def _bound(label: str, note: str, colour: str, sign: str, amount: Fraction | None) -> Lane:
    if amount is None:
        return Lane(label, "not assessed", "", "not_run", "absent", Fraction(0))
    value = f"≥ {at_least(amount, 2)}" if sign == "wall" else f"≤ {inscribed(upper(amount))}"
    return Lane(label, value, note, colour, sign, amount)


def _outside(names: tuple[str, ...]) -> list[Lane]:
    shown = names if len(names) <= MOST_OUTSIDE else names[: MOST_OUTSIDE - 1]
    lanes = [
        Lane(name, "no bound", "no charge covers this object, so no ε applies", "fail", "open", Fraction(0))
        for name in shown
    ]
    if len(shown) < len(names):
        lanes.append(lanes[-1]._replace(label=f"{len(names) - len(shown)} more", note="no charge covers these either"))
    return lanes


def _lanes(losses: Losses) -> list[Lane]:
    ruled_out = "smaller is ruled out" if losses.measured else "no loss was shown"
    known = ", rounded up" if losses.needed else ", exact"
    formula = "formula for the stated mechanism" + (known if losses.lawful else ", which this is not")
    if losses.needed and losses.beyond:
        formula += f"; at δ ≤ {inscribed(upper(losses.needed))}"
    return [
        _bound("Claimed", "promised by the deployment", "claimed", "limit", losses.claimed),
        _bound("Accounted", formula, "proved", "bar", losses.accounted),
        _bound(
            "Measured", f"{losses.runs:,} runs: {ruled_out} ({losses.confidence})", "measured", "wall", losses.measured
        ),
        *_outside(losses.outside),
    ]


def _sign(lane: Lane, y: int, axis: Axis) -> list[Mark]:
    """The mark of a lane: a bound from above ends at a wall, a bound from below begins at one."""
    zero, end = axis.left, axis.at(lane.amount)
    wall = marks.line(((end, y - 9), (end, y + 9)), lane.colour, 2.5)
    if lane.sign == "limit":
        return [marks.line(((zero, y), (end, y)), lane.colour, 2), wall]
    if lane.sign == "bar":
        return [marks.box((zero, y - 5), (end - zero, 10), lane.colour, ".85"), wall]
    if lane.sign == "wall":
        hatched = marks.box((zero, y - 5), (end - zero, 10), "hatch-measured", ".6")
        return [hatched, wall, *marks.arrow((end, y), (min(end + 26, Fraction(axis.right)), y), lane.colour)]
    if lane.sign == "absent":
        return [marks.dot((zero + 7, y), 6.2, "", "not_run", "2.6 2.27")]
    cross = [((zero + 2, y - 3), (zero + 8, y + 3)), ((zero + 8, y - 3), (zero + 2, y + 3))]
    return [
        *marks.arrow((zero, y), (axis.right - 2, y), lane.colour, "7 4"),
        marks.box((zero - 1, y - 6), (12, 12), lane.colour),
        *(marks.line(stroke, "paper", 1.6) for stroke in cross),
    ]


def _row(lane: Lane, at: int, frame: Frame) -> list[Mark]:
    axis, y = frame.axis, frame.base(at)
    name, value = Look("14", lane.colour, "end", bold=True), Look("17", lane.colour, bold=True)
    if not frame.wide:
        return [
            marks.words((axis.left, y - 14), clipped(lane.label, 24), name._replace(anchor="start")),
            marks.words((axis.right, y - 14), lane.value, value._replace(size="15", anchor="end")),
            *_sign(lane, y, axis),
        ]
    short = lane.sign in ("absent", "open")
    return [
        marks.words((axis.left - 12, y + 5), clipped(lane.label, 12), name),
        marks.words((axis.right + 12, y + 5), lane.value, value._replace(size="15") if short else value),
        marks.words((axis.left + (18 if lane.sign == "open" else 4), y - 9), lane.note, Look("11.5")),
        *_sign(lane, y, axis),
    ]


def _scale(losses: Losses, frame: Frame) -> list[Mark]:
    axis, bottom = frame.axis, frame.bottom
    found: list[Mark] = [marks.line(((axis.left, bottom), (axis.right, bottom)), "muted")]
    for tick in axis.ticks():
        x = axis.at(tick)
        anchor = "middle" if frame.wide or tick else "start"
        found.append(marks.line(((x, bottom), (x, bottom + 5)), "muted"))
        found.append(marks.words((x, bottom + 19), brief(tick), Look(anchor=anchor)))
    centre = Look(anchor="middle" if frame.wide else "start")
    x = Fraction(axis.left + axis.right, 2) if frame.wide else Fraction(axis.left)
    loss = "ε" if losses.delta and not frame.wide else "privacy loss ε"
    found.append(
        marks.words((x, bottom + 37), f"{loss} per {losses.unit}{losses.at_delta} (smaller is stronger)", centre)
    )
    if losses.between:
        left, right = map(axis.at, losses.between)
        found.append(marks.box((left, bottom - 2), (right - left, 5), "ink"))
    return found


def _frame(losses: Losses, form: str, lanes: int) -> Frame:
    wide = form == "wide"
    values = [value for value in (losses.claimed, losses.accounted, losses.measured) if value is not None]
    high = max(values) * ROOM or Fraction(1)
    axis = Axis(Fraction(0), high, 118 if wide else 4, 508 if wide else 294)
    top, lane = (16, 42) if wide else (8, 50)
    return Frame(wide, axis, top, lane, top + lane * lanes)


def ladder(losses: Losses, id_: str, form: str) -> Drawing:
    """One lane for each kind of evidence and each uncovered object.

    Args:
        losses: the values to compare.
        id_: id of the drawing in the page.
        form: wide (620 pixels) or narrow (300 pixels).
    """
    lanes = _lanes(losses)
    frame = _frame(losses, form, len(lanes))
    limit = frame.axis.at(losses.claimed)
    above = (limit, frame.top), (frame.axis.right - limit, frame.bottom - frame.top)
    edge = marks.line(((limit, frame.top - 4), (limit, frame.bottom)), "ink", 1, "2 3")
    drawn: list[Mark] = [marks.box(*above, "faint"), *_scale(losses, frame), edge]
    drawn += [mark for at, lane in enumerate(lanes) for mark in _row(lane, at, frame)]
    if frame.wide:
        drawn.append(marks.words((limit, 9), "above the claim →", Look("11.5", italic=True)))
    return Drawing(
        id_, form, 620 if frame.wide else 300, frame.bottom + 42, "Privacy loss: claimed, accounted, measured",
        described(losses), ("measured",), tuple(drawn),
    )  # fmt: skip


def described(losses: Losses) -> str:
    """The ladder in words."""
    parts = [f"Claimed at most {inscribed(upper(losses.claimed))}{losses.at_delta}."]
    if losses.accounted is None:
        parts.append("Accounted: not assessed.")
    else:
        needed = f" at δ ≤ {inscribed(upper(losses.needed))}" if losses.needed and losses.beyond else ""
        parts.append(f"Accounted at most {inscribed(upper(losses.accounted))}{needed} for the stated mechanism.")
    if losses.measured is None:
        parts.append("Measured: not assessed.")
    else:
        parts.append(f"Measured at least {at_least(losses.measured, 2)} with {losses.confidence} confidence.")
    if losses.outside:
        names = ", ".join(clipped(name, 60) for name in losses.outside)
        parts.append(f"No bound, because no charge covers them ({spelled(len(losses.outside))}): {names}.")
    return " ".join(parts)
