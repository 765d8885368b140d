"""Enclosed numbers in words: ten digits, rounded outwards."""

from fractions import Fraction

from dpspin.accounting.certified import Ends


def between(ends: Ends) -> str:
    """Both ends in words."""
    return f"from {rounded(ends.low)} to {rounded(ends.high, up=True)}"


def rounded(value: Fraction, *, up: bool = False) -> str:
    """Ten significant digits or one more, rounded down or up, whatever the exponent."""
    if value == 0:
        return "0"
    power = len(str(value.numerator)) - len(str(value.denominator)) - 10
    scaled = value / Fraction(10) ** power
    digits = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    text = str(digits)
    whole = text[0] + "." + text[1:].rstrip("0")
    return f"{whole.rstrip('.')}e{power + len(text) - 1:+03d}"
