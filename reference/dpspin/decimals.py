"""Exact numbers as text: rounded for people, or written out in full."""

from fractions import Fraction
from math import gcd

from dpspin import kernel


def shown(numerator: int, denominator: int, digits: int) -> str:
    """numerator / denominator as a decimal with `digits` digits after the point, half to even, thousands grouped."""
    scaled = kernel.rounded(numerator, denominator, 10**digits)
    whole, rest = divmod(abs(scaled), 10**digits)
    fraction = f".{rest:0{digits}d}" if digits else ""
    return f"{'-' if scaled < 0 else ''}{whole:,}{fraction}"


def exact(value: Fraction) -> str:
    """A rational written out in full: as a decimal where one exists, else as a fraction."""
    rest, digits = value.denominator, 0
    while gcd(rest, 10) > 1:
        rest, digits = rest // gcd(rest, 10), digits + 1
    return str(value) if rest > 1 else shown(value.numerator, value.denominator, digits).replace(",", "")
