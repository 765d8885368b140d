from fractions import Fraction
from xml.etree import ElementTree

from dpspin_audits.report.svg import svg
from dpspin_experiments.results.figure import FRAME, Lines, Point, described, drawing

POINTS = {
    "laplace": [Point(Fraction(1, 10), 0.5, 0.25, 0.75), Point(Fraction(10), 1.0, 1.0, 1.0)],
    "private_top_l": [Point(Fraction(1, 10), 0.0, 0.0, 0.0), Point(Fraction(10), 0.25, 0.0, 0.5)],
}
LINES = Lines("a-b", "Title & more", "epsilon", "Overlap@L", True, 1, POINTS)


def dots(lines):
    return [(float(mark.x), float(mark.y)) for mark in drawing(lines).marks if mark.kind == "dot"]


def test_means_stand_where_their_values_are():
    height = FRAME.bottom - FRAME.top
    found = dots(LINES)
    assert [y for _, y in found] == [
        FRAME.bottom - height / 2, FRAME.top, FRAME.bottom, FRAME.bottom - height / 4,
    ]  # fmt: skip
    assert found[0][0] == found[2][0] < found[1][0] == found[3][0]


def test_epsilon_stands_on_a_scale_of_factors():
    three = {"laplace": [Point(Fraction(x), 0.5, 0.5, 0.5) for x in ("0.1", "1", "10")]}
    xs = [x for x, _ in dots(LINES._replace(points=three))]
    assert abs((xs[1] - xs[0]) - (xs[2] - xs[1])) <= 0.2
    linear = [x for x, _ in dots(LINES._replace(points=three, logarithmic=False))]
    assert linear[1] - linear[0] < (linear[2] - linear[1]) / 5


def test_a_measure_without_a_top_and_all_zero():
    zero = {"laplace": [Point(Fraction(1), 0.0, 0.0, 0.0)]}
    assert dots(LINES._replace(points=zero, top=None, logarithmic=False))[0][1] == FRAME.bottom


def test_the_figure_in_words_and_as_a_file():
    said = described(LINES)
    assert "Laplace sketch: 0.5 at 0.1, 1 at 10" in said
    file = svg(drawing(LINES))
    assert file == svg(drawing(LINES))
    root = ElementTree.fromstring(file)
    assert root[0].text == "Title & more"
    assert b"<script" not in file
