"""The figure: where bars and walls end, and what is said to those who do not see it."""

import pytest

from dpspin_audits.report.svg import svg
from dpspin_experiments.attack import figure


@pytest.mark.parametrize("form", ["wide", "narrow"])
def test_bars_end_at_their_success_and_walls_at_the_bound(rows, form):
    drawing, frame = figure.drawing(rows, 25, form), figure.FRAMES[form]
    scale = (frame.right - frame.left) / 0.5
    bars = [mark for mark in drawing.marks if mark.kind == "box"]
    assert [float(bar.width) for bar in bars] == pytest.approx(
        [(row.success - 0.5) * scale for row in rows[1:]], abs=0.06
    )
    walls = [mark.d for mark in drawing.marks if mark.kind == "path" and mark.width == "2.5"]
    place = frame.left + 0.231 * scale
    assert len(walls) == 2
    assert all(float(wall.split()[0][1:]) == pytest.approx(place, abs=0.06) for wall in walls)
    assert len([mark for mark in drawing.marks if mark.kind == "dot"]) == 1


def test_every_word_stands_on_the_paper(rows):
    for form in ("wide", "narrow"):
        drawing = figure.drawing(rows, 25, form)
        heights = [float(mark.y) for mark in drawing.marks if mark.kind in ("words", "box", "dot")]
        assert 0 <= min(heights) <= max(heights) < drawing.height


def test_what_is_almost_certain_does_not_read_as_certain():
    written = [figure.percent(share) for share in (0.5, 0.9966, 0.99966, 0.999999, 1.0)]
    assert written == ["50.0\u00a0%", "99.7\u00a0%", "99.97\u00a0%", "99.9999\u00a0%", "100.0\u00a0%"]


def test_the_description_says_every_row(rows):
    said = figure.described(rows)
    assert said.count("right in") == len(rows)
    assert said.count("nothing limits it") == 2
    assert "plan, 50 crafted records: right in 59.8\u00a0% of the runs, at most 73.1\u00a0% is possible." in said


def test_it_is_a_file_of_its_own(rows):
    picture = svg(figure.drawing(rows, 25, "wide"))
    assert b"<svg" in picture
    assert picture == svg(figure.drawing(rows, 25, "wide"))
