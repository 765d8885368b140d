"""A sample of fixed size is caught: one record more displaces another, on another atom."""

from dpspin_audits.zoo.fixed_size import KEPT, FixedSize


def test_a_displaced_record_is_caught(caught):
    assert caught("fixed_size") == ("fail", {"distribution.ideal", "sensitivity"})


def test_exactly_so_many_are_kept_whatever_their_order(setting, maker):
    records = maker.varied("v", KEPT + 20)
    kept = FixedSize(setting).kept(records)
    assert len(kept) == KEPT
    assert kept == FixedSize(setting).kept(records[::-1])
