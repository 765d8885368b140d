"""Rounds that each spend everything are caught where admission is undecided."""

TERMS = {"mechanism": "top_l", "share": "3/4"}


def test_it_is_caught(caught):
    assert caught("epsilon_per_round", **TERMS) == ("fail", {"distribution.ideal"})


def test_it_is_caught_by_the_family_that_was_made_for_it(finding):
    found = finding("epsilon_per_round", "distribution.ideal", **TERMS)
    assert "few units, admission undecided" in found["reason"]
    assert "at most 1 is claimed" in found["reason"]
