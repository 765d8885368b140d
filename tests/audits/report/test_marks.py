from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin_audits.report.marks import Axis, box, line, px, round_step


def test_positions_have_at_most_one_decimal():
    assert [px(value) for value in (3, Fraction(1, 3), 2.5, Fraction(-1, 100))] == ["3", "0.3", "2.5", "0"]


def test_marks_are_written_with_finished_pixels():
    assert line(((1, 2), (Fraction(7, 2), 4)), "fail", 2.5).d == "M1 2L3.5 4"
    assert box((0, 0), (-3, 4), "ink").width == "0"


def test_the_scale_maps_its_ends_and_keeps_everything_inside():
    axis = Axis(Fraction(0), Fraction(2), 100, 300)
    assert [axis.at(Fraction(value)) for value in (0, 1, 2, 9, -9)] == [100, 200, 300, 300, 100]


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=10**6))
@settings(max_examples=100)
def test_ticks_are_few_and_round(high):
    ticks = Axis(Fraction(0), high, 0, 100).ticks()
    assert 2 <= len(ticks) <= 7
    assert ticks[0] == 0
    assert ticks[-1] <= high


def test_steps_are_one_two_two_and_a_half_or_five():
    wanted = {"0.21": "0.25", "0.01": "0.01", "1.01": "2", "26": "50", "51": "100"}
    assert {key: round_step(Fraction(key)) for key in wanted} == {k: Fraction(v) for k, v in wanted.items()}
