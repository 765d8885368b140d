"""Cutting a sentence into words, numbers and marks; whatever cannot be cut becomes a token that no rule takes."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

Span = tuple[int, int]
"""Start and end in the raw text."""
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
COUNTS = {"no": 0, "none": 0} | {
    word: number for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)
}
"""Number words, for counts alone: a mass in words has no precision that could be checked."""
BLANK = re.compile("[ \t\u00a0]*")
BULLET = re.compile("[ \t\u00a0]*-(?=[ \t\u00a0])")
APART = re.compile("(?<![^ \t\n\u00a0(|])")
"""Where words, numbers and labels may begin: after a blank, a bracket, the edge of a cell, or nothing."""
PIECE = re.compile(
    r"""
    (?P<rule> \| (?: [ \t\u00a0]* :?-+:? [ \t\u00a0]* \| )+ )     # the line under the header of a table
  | (?P<mark> [,;:()|] )
  | (?<! [^ \t\n\u00a0(|] ) (?:
        (?P<word> [A-Z]+ ) (?!\w)
      | (?P<numeral> [1-9][0-9]{0,5} (?: st | nd | rd | th ) ) (?!\w)
      | (?P<number>
            (?P<ratio> [0-9]{1,400} / [1-9][0-9]{0,399} )
          | (?P<minus> - (?= [0-9,.]*[1-9] ) )?            # minus zero is no number of this language
            (?P<whole> 0 | [1-9][0-9]{0,2} (?: ,[0-9]{3} ){1,133} | [1-9][0-9]{0,399} )
            (?P<rest> (?: \.[0-9]{1,400} )? (?: e[+-]?[0-9]{1,2} )? )
            (?P<percent> [ \t\u00a0]* (?: % | (?<=[ \t\u00a0]) percent ) )?
        ) (?! [.,/]?\w )
    )
    """,
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)


class Token(NamedTuple):
    """A word, number, mark, label or bin name."""

    kind: str
    """Its terminal in the grammar."""
    value: str
    """Positions for labels and bin names, numbers without their grouping."""
    start: int
    end: int
    """Both in raw positions."""


def cut(text: str, span: Span, marks: Mapping[int, Token], keywords: Mapping[str, str]) -> Iterator[Token]:
    """The tokens of the sentence at `span`, to its last character, and the end.

    Args:
        text: the whole raw text, U+2212 replaced by the ASCII minus and all labels blotted out.
        span: the sentence.
        marks: tokens that stand in the text already, by start.
        keywords: terminals of words and marks.
    """
    position, end = span
    bullet = BULLET.match(text, position, end)
    if bullet:
        yield Token("_BULLET", "-", position, bullet.end())
        position = bullet.end()
    position = _skip(text, position, end)
    while position < end:
        mark = marks.get(position)
        if mark is None:
            mark = _token(PIECE.match(text, position, end), text, position, keywords)
        elif not APART.match(text, position):
            mark = Token("UNKNOWN", text[position], position, position + 1)
        yield mark
        position = _skip(text, mark.end, end)
    yield Token("$END", "", end, end)


def _skip(text: str, position: int, end: int) -> int:
    blank = BLANK.match(text, position, end)
    return blank.end() if blank else position


def _token(piece: re.Match[str] | None, text: str, start: int, keywords: Mapping[str, str]) -> Token:
    if piece is None:
        return Token("UNKNOWN", text[start], start, start + 1)
    name, value = piece.lastgroup or "", piece.group().lower()
    kind = "UNKNOWN"
    if name == "number":
        kind, value = _number_kind(piece), value.replace(",", "")
    elif name == "rule":
        kind = "_RULE"
    elif value in COUNTS:
        kind, value = "COUNT", str(COUNTS[value])
    elif value in ORDINALS:
        kind, value = "ORDINAL", str(ORDINALS.index(value) + 1)
    elif name == "numeral":
        number = int(value[:-2])
        kind, value = ("ORDINAL", str(number)) if value == numeral(number) else (kind, value)
    else:
        kind = keywords.get(value, kind)
    return Token(kind, value, start, piece.end())


def _number_kind(piece: re.Match[str]) -> str:
    if piece["ratio"]:
        return "RATIO"
    if piece["percent"]:
        return "PERCENT"
    return "DECIMAL" if piece["minus"] or piece["rest"] else "INTEGER"


def numeral(number: int) -> str:
    """An ordinal in digits: 1st, 12th, 23rd."""
    teens = number // 10 % 10 == 1
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def decimal(text: str) -> tuple[int, int]:
    """A written decimal as (numerator, digits): "118.40" is (11840, 2), "1.2e3" is (1200, 0), "9.1 %" is (91, 3)."""
    number = text.removesuffix("%").removesuffix("percent").rstrip()
    base, _, exponent = number.partition("e")
    whole, _, fraction = base.partition(".")
    digits = len(fraction) - int(exponent or 0) + 2 * (number != text)
    return int(whole + fraction) * 10 ** max(-digits, 0), max(digits, 0)
