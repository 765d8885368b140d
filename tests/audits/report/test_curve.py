"""The drawing of a curve: where things stand, and that nothing leaves the paper."""

import re
from fractions import Fraction

import pytest

from dpspin_audits.report.curve import PAPER, Figure, Place, Series, Spot, drawing
from dpspin_audits.report.plot import ten

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = PAPER[1:]
STEEP = Series("steep", tuple(Place(Fraction(k, 10), Fraction(1, 10**k)) for k in range(13)))
LONG = Series("long", tuple(Place(Fraction(k, 4), Fraction(1, 10**k)) for k in range(13)))


def figure(*singles, spots=(), whole=LONG):
    return Figure("Title", "under it", "in words", whole, singles, spots, 12)


def lines(found, colour):
    return [mark for mark in found.marks if mark.kind == "path" and mark.stroke == colour]


def points(mark):
    return [tuple(map(float, pair.split())) for pair in mark.d[1:].split("L")]


def test_a_curve_runs_from_the_upper_left_to_the_ground():
    (curve,) = lines(drawing(figure()), "proved")
    assert points(curve)[0] == (LEFT, TOP)  # delta 1 at epsilon 0
    assert points(curve)[-1] == (RIGHT, BOTTOM)  # delta 1e-12 at the largest epsilon
    assert points(curve)[6] == ((LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2)  # 1e-6 half-way: both scales are what they say


def test_what_lies_below_the_scale_ends_on_the_ground():
    deep = Series(
        "deep", (Place(Fraction(0), Fraction(1, 2)), Place(Fraction(1), Fraction(0)), Place(Fraction(2), Fraction(0)))
    )
    (curve,) = lines(drawing(figure(whole=deep)), "proved")
    assert points(curve)[-1] == ((LEFT + RIGHT) / 2, BOTTOM)
    assert len(points(curve)) == 2


def test_single_releases_are_dashed_and_named():
    found = drawing(figure(STEEP, LONG))
    assert [mark.dash for mark in lines(found, "muted")] == ["5 4", "5 4"]
    names = [mark for mark in found.marks if mark.kind == "words" and mark.text in {"steep", "long"}]
    assert len({mark.y for mark in names}) == 2


def test_readings_are_filled_and_other_figures_hollow():
    spots = (Spot(Place(Fraction(1), Fraction(1, 10**4)), "here", other=False),
             Spot(Place(Fraction(4), Fraction(0)), "there", other=True))  # fmt: skip
    found = drawing(figure(spots=spots))
    here, there = (mark for mark in found.marks if mark.kind == "dot")
    assert (here.fill, there.fill, there.stroke) == ("proved", "paper", "claimed")
    assert (float(there.x), float(there.y)) == (RIGHT, BOTTOM)  # the scale reaches as far as what is marked
    labels = {mark.text: mark.look.anchor for mark in found.marks if mark.kind == "words"}
    assert (labels["here"], labels["there"]) == ("start", "end")


@pytest.mark.parametrize(
    "figures", [figure(), figure(STEEP, spots=(Spot(Place(Fraction(9), Fraction(1, 9)), "x", other=True),))]
)
def test_nothing_leaves_the_paper_and_axes_are_labelled(figures):
    found = drawing(figures)
    for mark in found.marks:
        if mark.kind in {"dot", "words"}:
            assert 0 <= float(mark.x) <= WIDTH
            assert 0 <= float(mark.y) <= HEIGHT
    texts = [mark.text for mark in found.marks if mark.kind == "words"]
    assert {"Title", "under it", "ε, privacy loss", "δ, probability outside it", "10⁻¹²", "1", "0"} <= set(texts)
    assert not [text for text in texts if re.search("nan|inf", text)]


def test_powers_of_ten_are_set():
    assert [ten(0), ten(-6), ten(-12)] == ["1", "10⁻⁶", "10⁻¹²"]
