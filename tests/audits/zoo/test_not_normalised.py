"""Contributions that are not normalised are caught for certain, and in the released masses."""


def test_an_unbounded_contribution_is_caught(caught):
    assert caught("not_normalised") == ("fail", {"sensitivity", "distribution.ideal"})


def test_the_finding_is_exact(audited):
    tree = audited("py:dpspin_audits.zoo.not_normalised:subject")
    found = next(check for check in tree["checks"] if check["id"] == "sensitivity")
    assert found["strength"] == "exact_on_hit"
    assert "contributes 3.0000 in total" in found["reason"]
