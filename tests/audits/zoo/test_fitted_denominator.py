"""A denominator that counts records is caught by the closed list of fields, under replacement too."""


def test_it_is_caught(caught):
    verdict, failed = caught("fitted_denominator", adjacency="replacement")
    assert verdict == "fail"
    assert failed == {"hygiene"}


def test_the_finding_names_the_field(finding):
    assert "'public_denominator'" in finding("fitted_denominator", "hygiene", adjacency="replacement")["reason"]
