"""Numbers as text."""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from dpspin import decimals


@given(st.integers(-(10**12), 10**12), st.integers(1, 10**9), st.integers(0, 6))
def test_shown_numbers_are_rounded_half_to_even(numerator, denominator, digits):
    scaled = round(Fraction(numerator, denominator) * 10**digits)
    wanted = Decimal(scaled).scaleb(-digits, Context(prec=60))
    assert decimals.shown(numerator, denominator, digits) == f"{wanted if scaled else abs(wanted):,.{digits}f}"


def test_shown_numbers_agree_with_decimal_on_ties():
    for number in ("0.5", "1.5", "2.5", "-0.5", "-1.5", "1234567.85", "-0.05", "0.25"):
        exact = Fraction(number)
        for digits in (0, 1):
            wanted = Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN)
            text = f"{wanted if wanted else abs(wanted):,}"
            assert decimals.shown(exact.numerator, exact.denominator, digits) == text


@given(st.fractions() | st.builds(Fraction, st.integers(), st.sampled_from([1, 2**20, 10**9, 5**7, 2**30 * 5])))
def test_exact_numbers_are_written_out_in_full(value):
    text = decimals.exact(value)
    assert Fraction(text) == value
    rest = value.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    assert ("/" in text) == (rest > 1)
    assert "/" in text or text == format(Decimal(text), "f")
    assert "/" in text or "." not in text or not text.endswith("0")
