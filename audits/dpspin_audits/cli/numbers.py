"""Exact numbers as people and tools write them, in options and tables."""

import re
from fractions import Fraction
from typing import Any

import click

from dpspin.settings import Exact

ADJACENCIES = ("add_drop", "replacement")
SCIENTIFIC = r"-?[0-9]{1,40}(\.[0-9]{1,40})?[eE][+-]?[0-9]{1,3}"
HEXADECIMAL = r"0x[01]\.?[0-9a-f]{0,13}p[+-]?[0-9]{1,4}"


def number(text: str) -> Fraction:
    """A number as people and tools write it: decimal, fraction or hexadecimal float; ValueError for anything else."""
    if re.fullmatch(HEXADECIMAL, text):
        return Fraction(float.fromhex(text))
    return Fraction(text if re.fullmatch(SCIENTIFIC, text, re.ASCII) else Exact(text))


class Number(click.ParamType[Fraction]):
    """An exact number."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        """From text to a rational."""
        try:
            return value if isinstance(value, Fraction) else number(value)
        except (ValueError, OverflowError) as error:
            self.fail(f"{value[:60]!r}: {error}", param, ctx)
