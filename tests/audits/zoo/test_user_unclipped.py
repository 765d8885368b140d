"""Users without a bound are caught for certain, and in the released masses."""

TERMS = {"unit": "user"}


def test_it_is_caught(caught):
    assert caught("user_unclipped", **TERMS) == ("fail", {"sensitivity", "distribution.ideal"})


def test_the_finding_is_exact(finding):
    found = finding("user_unclipped", "sensitivity", **TERMS)
    assert found["strength"] == "exact_on_hit"
    assert "in total, more than 2" in found["reason"]
