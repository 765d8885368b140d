"""A bound that holds record by record is caught for certain, and in the released masses."""

TERMS = {"unit": "user", "mechanism": "gaussian"}


def test_it_is_caught(caught):
    assert caught("clipped_per_record", **TERMS) == ("fail", {"sensitivity", "distribution.ideal"})


def test_the_finding_is_exact(finding):
    found = finding("clipped_per_record", "sensitivity", **TERMS)
    assert found["strength"] == "exact_on_hit"
    assert "in total, more than 2" in found["reason"]
