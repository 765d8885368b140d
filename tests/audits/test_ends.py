"""Enclosed numbers in words: rounded outwards, whatever their size."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from dpspin.accounting.certified import Ends
from dpspin_audits.ends import between, rounded

POSITIVE = st.builds(lambda n, d, e: Fraction(n, d) * Fraction(10) ** e, st.integers(1, 10**30), st.integers(1, 10**30),
                     st.integers(-400, 400))  # fmt: skip


@given(POSITIVE)
def test_a_number_lies_between_what_is_shown_of_it(value):
    low, high = Fraction(rounded(value)), Fraction(rounded(value, up=True))
    assert low <= value <= high
    assert high - low <= value / 10**8


def test_short_numbers_are_shown_in_full():
    assert [rounded(Fraction(x)) for x in ("1e-6", "1", "250", "0")] == ["1e-06", "1e+00", "2.5e+02", "0"]
    assert between(Ends(Fraction(1, 3), Fraction(1, 3))) == "from 3.333333333e-01 to 3.333333334e-01"
