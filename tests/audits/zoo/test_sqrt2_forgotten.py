"""A forgotten square root of two breaks the stated curve long before the claimed point shows it."""

TERMS = {"mechanism": "gaussian", "adjacency": "replacement"}


def test_it_is_caught(caught):
    assert caught("sqrt2_forgotten", **TERMS) == ("fail", {"distribution.ideal"})


def test_the_finding_is_about_the_stated_law(finding):
    assert finding("sqrt2_forgotten", "distribution.ideal", **TERMS)["reason"].startswith(
        "not the stated law: at delta 0.0"
    )
