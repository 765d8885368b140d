"""The budget: cost against allowed total, to scale, a second bar for delta, and red beyond the total."""

from fractions import Fraction

import pytest

from dpspin_audits.report import budget, case
from dpspin_audits.report.marks import Words
from dpspin_audits.report.tree import Node


def drawn(tree):
    return budget.view(case.opened(Node(tree)))


def words(drawing):
    return [mark.text for mark in drawing.marks if isinstance(mark, Words)]


def bars(drawing):
    return [mark for mark in drawing.marks if mark.kind == "box"]


def spent(cost, allowed="3", charged=True):
    return budget.Spent((budget.Account("ε", Fraction(cost), Fraction(allowed)),), "people", charged)


def test_a_charged_universe_is_in_the_bar_and_named(evidence):
    wide, narrow = drawn(evidence("charged"))
    assert wide.description.startswith("This release and its universe cost ε 1.5 of 3 and δ 10")
    for drawing in (wide, narrow):
        assert words(drawing).count("this release and its universe") == 2
    assert float(bars(wide)[0].width) == pytest.approx(1.5 * float(bars(drawn(evidence())[0])[0].width), abs=0.2)


@pytest.mark.parametrize("form", ["wide", "narrow"])
def test_bars_are_to_scale(form):
    third, all_ = (budget.drawing(spent(cost), form) for cost in ("1", "3"))
    assert float(bars(all_)[0].width) == pytest.approx(3 * float(bars(third)[0].width), abs=0.2)
    assert float(bars(all_)[0].width) < all_.width


def test_delta_has_a_bar_of_its_own(evidence):
    assert len(bars(drawn(evidence())[0])) == 1
    wide = drawn(evidence("gaussian-user"))[0]
    assert len(bars(wide)) == 2
    assert any(text.startswith("δ") for text in words(wide))


def test_a_release_beyond_the_budget_is_red():
    assert bars(budget.drawing(spent("4"), "wide"))[0].fill == "fail"
    assert bars(budget.drawing(spent("2"), "wide"))[0].fill == "claimed"


def test_without_a_charge_the_bar_is_hatched_and_says_so(evidence):
    wide = drawn(evidence("stamped"))[0]
    assert bars(wide)[0].fill == "hatch-claimed"
    assert wide.hatches == ("claimed",)
    assert "would cost" in wide.description
    assert "would" not in drawn(evidence())[0].description


def test_an_empty_budget_is_drawn():
    assert budget.drawing(spent("0", "0"), "wide").description.startswith("This release costs ε 0 of 0")
