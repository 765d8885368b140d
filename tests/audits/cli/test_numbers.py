"""Numbers in options and tables are exact, or refused."""

from fractions import Fraction

import click
import pytest

from dpspin_audits.cli.numbers import Number, number


def test_numbers_are_read_exactly():
    assert number("0x1.8p+1") == 3
    assert number("1/3") == Fraction(1, 3)
    assert number("0.1") == Fraction(1, 10)
    for text in ("", "0x", "nan", "1e9999", "0x1p+99999", "1_0"):
        with pytest.raises((ValueError, OverflowError)):
            number(text)


def test_an_option_takes_a_number_or_says_what_is_wrong():
    kind = Number()
    assert kind.convert("1e-6", None, None) == kind.convert(Fraction(1, 10**6), None, None) == Fraction(1, 10**6)
    with pytest.raises(click.BadParameter, match="'abc'"):
        kind.convert("abc", None, None)
