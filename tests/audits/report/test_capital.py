"""Wealth over runs: who reached the line, and that nothing leaves the paper."""

from fractions import Fraction

import pytest

from dpspin_audits.report import capital
from dpspin_audits.report.capital import Path

LOOKS = ((0, Fraction(0)), (500, Fraction(1, 2)), (9000, Fraction(-3)))
POOR = Path("one atom", "stated law", False, Fraction(4), None, LOOKS)
WON = ((0, Fraction(0)), (600, Fraction(2)), (1200, Fraction(5)))
RICH = Path("two atoms", "learned", False, Fraction(4), 1200, WON)
LAW = RICH._replace(about_law=True, reached=None, looks=((0, Fraction(0)), (40, Fraction(-1))))


def words(found):
    return [mark.text for mark in found.marks if mark.kind == "words"]


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        ((POOR,), "The one bettor did not reach the line where the promise would be refuted."),
        ((POOR, LAW), "None of two bettors reached the line where the promise would be refuted."),
        ((POOR, RICH), "One of two bettors reached the line; the first after 1,200 runs, on two atoms."),
    ],
)
def test_the_figure_in_words(paths, said):
    assert capital.drawing(paths, "c", "wide").description == said


def test_a_bettor_who_reaches_the_line_is_named_in_red():
    found = capital.drawing((POOR, RICH), "c", "wide")
    assert "two atoms" in words(found)
    strokes = {mark.stroke for mark in found.marks if mark.kind == "path"}
    assert {"fail", "measured"} <= strokes
    assert "no bettor grew rich" in words(capital.drawing((POOR,), "c", "wide"))


def test_bets_against_the_law_are_dashed():
    found = capital.drawing((LAW,), "c", "narrow")
    assert [mark.dash for mark in found.marks if mark.kind == "path" and mark.stroke == "proved"] == ["5 3"]


@pytest.mark.parametrize("form", ["wide", "narrow"])
@pytest.mark.parametrize("paths", [(POOR,), (RICH,), (LAW,), (POOR, RICH, LAW)])
def test_nothing_leaves_the_paper(paths, form):
    found = capital.drawing(paths, "c", form)
    spots = [(float(mark.x), float(mark.y)) for mark in found.marks if mark.kind in ("words", "dot")]
    assert all(0 <= x <= found.width and 0 <= y <= found.height for x, y in spots)


@pytest.mark.parametrize(("wealth", "lines"), [(5, 8), (12, 8), (60, 4), (900, 5), (12_345, 3)])
def test_the_grid_stays_readable_however_rich_a_bettor_grew(wealth, lines):
    very = RICH._replace(looks=((0, Fraction(0)), (1200, Fraction(wealth))))
    shown = [word for word in words(capital.drawing((very,), "c", "wide")) if word.startswith("10") or word == "1"]
    powers = [word for word in shown if "," not in word]
    assert lines <= len(set(powers)) <= 12


def test_dashes_are_explained_where_there_are_any():
    assert "Dashed" not in capital.said((POOR, RICH))
    assert capital.said((POOR, LAW)).endswith("Dashed: bets against what the stated law promises beyond the claim.")
