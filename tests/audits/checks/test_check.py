"""Figures are decimals rounded in the direction that keeps each sentence true."""

import pytest

from dpspin.settings import Exact
from dpspin_audits.checks.check import Check, at_least, at_most, level


@pytest.mark.parametrize(
    ("value", "low", "high"), [(0.96789, "0.9678", "0.9679"), (1.0, "1.0000", "1.0000"), (0.0, "0.0000", "0.0000")]
)
def test_bounds_are_rounded_away_from_what_they_claim(value, low, high):
    assert (at_least(value), at_most(value)) == (low, high)


def test_levels_are_exact_numbers_of_the_evidence():
    assert float(Exact(level(0.001 / 22))) == 4.54e-5
    assert (level(0.001), level(0.3)) == ("0.001", "0.3")


def test_a_check_has_no_finding_unless_it_says_so():
    found = Check("id", "pass", "exact", "All is well.")
    assert (found.reason, found.remedy, found.location, dict(found.figures)) == (None, None, None, {})
