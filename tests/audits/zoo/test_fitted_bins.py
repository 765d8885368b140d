"""Cuts that were fitted to protected masses are caught by the closed list of fields."""


def test_it_is_caught(caught):
    verdict, failed = caught("fitted_bins")
    assert verdict == "fail"
    assert "hygiene" in failed


def test_the_finding_names_the_field(finding):
    assert "'bins'" in finding("fitted_bins", "hygiene")["reason"]
