"""Ids that are taken for one are caught by the sum over units, and in the released masses."""


def test_a_user_who_displaces_another_is_caught(caught):
    assert caught("ids_folded", unit="user") == ("fail", {"sensitivity", "distribution.ideal"})


def test_it_is_caught_by_the_family_that_was_made_for_it(finding):
    assert "users with almost equal ids" in finding("ids_folded", "distribution.ideal", unit="user")["reason"]
    assert "not the sum" in finding("ids_folded", "sensitivity", unit="user")["reason"]
