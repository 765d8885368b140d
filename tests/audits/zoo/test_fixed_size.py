"""A sample of fixed size is caught: one unit more displaces another, on another atom."""

import pytest

from dpspin_audits.zoo.fixed_size import KEPT, FixedSize


def test_a_displaced_unit_is_caught(caught):
    assert caught("fixed_size") == ("fail", {"distribution.ideal", "sensitivity"})


@pytest.mark.parametrize("unit", ["record", "user"])
def test_exactly_so_many_are_kept_whatever_their_order(maker_of, unit):
    maker = maker_of(unit=unit)
    records = maker.records(maker.varied("v", KEPT + 20))
    subject = FixedSize(maker.setting)
    kept = subject.units(records)
    assert len(kept) == KEPT
    assert [sorted(map(str, one)) for one in kept] == [sorted(map(str, one)) for one in subject.units(records[::-1])]
