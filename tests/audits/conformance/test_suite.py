"""Vectors are chosen by name or flag."""

import pytest

from dpspin.errors import UsageError
from dpspin_audits.conformance import suite


def test_a_pattern_chooses_by_name_or_flag():
    assert {case.function for case in suite.cases("^clip/")} == {"clip"}
    assert all("Tie" in case.flags for case in suite.cases("^Tie$"))
    assert [case.name for case in suite.cases("^clip/3$")] == ["clip/3"]


@pytest.mark.parametrize(("pattern", "words"), [("(", "not a regular expression"), ("^nothing$", "matches no vector")])
def test_a_pattern_that_cannot_be_used_is_named(pattern, words):
    with pytest.raises(UsageError, match=words):
        suite.cases(pattern)


def test_shared_inputs_belong_to_every_case():
    assert all({"plan", "text"} == set(case.input) for case in suite.cases("^verdict/"))
