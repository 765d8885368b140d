from fractions import Fraction

import pytest

from dpspin_audits.report.figures import Losses, ladder
from dpspin_audits.report.marks import Words

NO_DELTA = Fraction(0)
LOSSES = Losses(
    claimed=Fraction(1), delta=NO_DELTA, accounted=Fraction(1), needed=NO_DELTA, measured=Fraction("0.9412"),
    runs=65536, confidence="99.9 %", outside=(), unit="record", lawful=True,
)  # fmt: skip
MILLIONTH = Fraction(1, 10**6)


def words(drawing):
    return [mark.text for mark in drawing.marks if isinstance(mark, Words)]


def boxes(drawing, fill):
    return [mark for mark in drawing.marks if mark.kind == "box" and mark.fill == fill]


@pytest.mark.parametrize("form", ["wide", "narrow"])
def test_a_lane_for_each_kind_of_evidence(form):
    drawn = ladder(LOSSES, "fig1", form)
    shown = words(drawn)
    assert {"Claimed", "Accounted", "Measured", "≤ 1", "≥ 0.94"} <= set(shown)
    assert "Proved" not in shown
    assert "at least 0.94" in drawn.description


def test_bounds_end_where_their_values_lie_and_the_interval_between_is_thick():
    drawn = ladder(LOSSES, "fig1", "wide")
    limit = 118 + 390 / 1.3
    bar, thick, beyond = boxes(drawn, "proved")[0], boxes(drawn, "ink")[0], boxes(drawn, "faint")[0]
    assert float(bar.x) + float(bar.width) == pytest.approx(limit, abs=0.1)
    assert float(thick.x) == pytest.approx(118 + 300 * 0.9412, abs=0.1)
    assert float(thick.x) + float(thick.width) == pytest.approx(limit, abs=0.1)
    assert float(beyond.x) == pytest.approx(limit, abs=0.1)


def test_what_was_not_assessed_says_so_and_has_no_bar():
    drawn = ladder(LOSSES._replace(accounted=None, measured=None), "fig1", "wide")
    assert words(drawn).count("not assessed") == 2
    assert not boxes(drawn, "proved") + boxes(drawn, "ink")
    assert "Accounted: not assessed. Measured: not assessed." in drawn.description


@pytest.mark.parametrize("form", ["wide", "narrow"])
def test_losses_are_labelled_with_the_delta_at_which_they_hold(form):
    drawn = ladder(LOSSES._replace(delta=MILLIONTH, needed=MILLIONTH), "fig1", form)
    assert any("ε per record at δ = 10⁻⁶ (smaller" in line for line in words(drawn))
    assert "Claimed at most 1 at δ = 10⁻⁶." in drawn.description
    assert boxes(drawn, "ink")


def test_a_bound_that_needs_a_larger_delta_says_so_and_closes_no_interval():
    drawn = ladder(LOSSES._replace(delta=MILLIONTH, needed=2 * MILLIONTH), "fig1", "wide")
    assert "formula for the stated mechanism, rounded up; at δ ≤ 2\u00a0×\u00a010⁻⁶" in words(drawn)
    assert not boxes(drawn, "ink")


def test_a_bound_of_another_law_closes_no_interval():
    drawn = ladder(LOSSES._replace(lawful=False), "fig1", "wide")
    assert "formula for the stated mechanism, which this is not" in words(drawn)
    assert not boxes(drawn, "ink")


def test_an_uncovered_object_stands_beside_the_claim_without_bound():
    drawn = ladder(LOSSES._replace(outside=("run_info.json",)), "fig1", "wide")
    assert {"run_info.json", "no bound"} <= set(words(drawn))
    assert "run_info.json" in drawn.description
    assert drawn.height == ladder(LOSSES, "fig1", "wide").height + 42


def test_many_uncovered_objects_share_a_lane():
    drawn = ladder(LOSSES._replace(outside=("a", "b", "c", "d", "e")), "fig1", "narrow")
    assert words(drawn).count("no bound") == 3
    assert "3 more" in words(drawn)


def test_a_measured_loss_above_the_claim_widens_the_scale_and_is_no_interval():
    drawn = ladder(LOSSES._replace(measured=Fraction("1.94")), "fig1", "wide")
    assert not boxes(drawn, "ink")
    assert float(boxes(drawn, "faint")[0].x) < 118 + 390 * 0.42


def test_unseen_characters_in_names_are_named():
    drawn = ladder(LOSSES._replace(outside=("a\u202eb",)), "fig1", "narrow")
    assert "a[U+202E]b" in words(drawn)
    assert "\u202e" not in drawn.description
