"""Two errors: the limit of the claim, the points, and what counts as below it."""

from fractions import Fraction
from math import exp, isclose

import pytest

from dpspin_audits.report import tradeoff
from dpspin_audits.report.tradeoff import Errors

ON_LIMIT = (Fraction(1, 4), 1 - Fraction(round(exp(1) * 10**9), 10**9) / 4)


def errors(*points, margin=Fraction(1, 100), epsilon=Fraction(1), delta=Fraction(0)):
    return Errors(points, margin, margin, epsilon, delta)


def test_the_corner_is_where_both_errors_are_least():
    assert isclose(tradeoff.corner(errors()), 1 / (1 + exp(1)))
    assert isclose(tradeoff.corner(errors(delta=Fraction(1, 10))), 0.9 / (1 + exp(1)))


def test_the_limit_is_drawn_through_the_corner():
    found = tradeoff.drawing(errors(ON_LIMIT), "t", "wide")
    (limit,) = [mark for mark in found.marks if mark.kind == "path" and mark.stroke == "claimed"]
    places = [tuple(map(float, pair.split())) for pair in limit.d[1:].split("L")]
    assert places[0] == (48, 26)
    assert places[2] == (388, 346)
    assert isclose(places[1][0], 48 + 340 / (1 + exp(1)), abs_tol=0.1)


@pytest.mark.parametrize(
    ("point", "margin", "beyond"),
    [(ON_LIMIT, 0.01, 0), ((Fraction(1, 10), Fraction(1, 10)), 0.01, 1), ((Fraction(1, 10), Fraction(1, 10)), 0.4, 0),
     ((Fraction(0), Fraction(9, 10)), 0.001, 1), ((Fraction(9, 10), Fraction(0)), 0.001, 1)],
)  # fmt: skip
def test_only_a_point_with_its_margins_below_the_limit_breaks_it(point, margin, beyond):
    said = tradeoff.described(errors(point, margin=Fraction(margin)))
    assert said.startswith("1 measured points; " + ("1 of them, with" if beyond else "none of them lies"))


def test_a_delta_moves_the_limit():
    point = (Fraction(1, 10), Fraction(4, 5) - Fraction(1, 10))
    assert "none of them" in tradeoff.described(errors(point, epsilon=Fraction(1, 10), delta=Fraction(3, 10)))
    assert "1 of them" in tradeoff.described(errors(point, epsilon=Fraction(1, 10)))


@pytest.mark.parametrize("form", ["wide", "narrow"])
def test_nothing_leaves_the_paper(form):
    found = tradeoff.drawing(errors((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0)), ON_LIMIT), "t", form)
    spots = [(float(mark.x), float(mark.y)) for mark in found.marks if mark.kind in ("words", "dot")]
    assert all(0 <= x <= found.width and 0 <= y <= found.height for x, y in spots)
