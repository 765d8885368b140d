"""Scales of plots: logarithms that are the same everywhere, pixels that count from the top."""

from fractions import Fraction

import pytest

from dpspin_audits.report.plot import Frame, grid, power_of_ten, ten

FRAME = Frame("wide", 300, 200, 40, 290, 20, 160)


@pytest.mark.parametrize(
    ("value", "power"),
    [(Fraction(1), 0), (Fraction(1000), 3), (Fraction(1, 100), -2), (Fraction(2), Fraction(3010, 10**4))],
)
def test_logarithms_have_four_digits(value, power):
    assert power_of_ten(value) == power


def test_powers_are_set_with_raised_digits():
    assert [ten(power) for power in (0, 1, -12)] == ["1", "10¹", "10⁻¹²"]


def test_larger_values_stand_higher():
    upward = FRAME.upward(Fraction(0), Fraction(1))
    assert (upward.at(Fraction(0)), upward.at(Fraction(1)), upward.at(Fraction(1, 2))) == (160, 20, 90)
    across = FRAME.across(Fraction(0), Fraction(1))
    assert (across.at(Fraction(0)), across.at(Fraction(1))) == (40, 290)


def test_the_grid_has_a_line_and_a_figure_for_each_tick():
    ticks = [(Fraction(0), "0"), (Fraction(1), "1")]
    across, upward = (make(Fraction(0), Fraction(1)) for make in (FRAME.across, FRAME.upward))
    drawn = list(grid(FRAME, (across, ticks, "x"), (upward, ticks, "y")))
    assert [mark.text for mark in drawn if mark.kind == "words"] == ["0", "1", "0", "1", "x", "y"]
    assert sum(mark.kind == "path" for mark in drawn) == 5
