"""Cutting: every character belongs to a token, and what is no token stays visible."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.decoder.tokens import Token, cut, decimal, numeral

KEYWORDS = {"fees": "FEES", ",": "COMMA", "|": "BAR", "(": "LPAR"}


def kinds(text, marks=None):
    return [(token.kind, token.value) for token in cut(text, (0, len(text)), marks or {}, KEYWORDS)][:-1]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("- Fees, fees", [("_BULLET", "-"), ("FEES", "fees"), ("COMMA", ","), ("FEES", "fees")]),
        ("1,234.50 -2 1/3 12e3", [("DECIMAL", "1234.50"), ("DECIMAL", "-2"), ("RATIO", "1/3"), ("DECIMAL", "12e3")]),
        ("9.1 % 9.1% 9.1\u00a0percent", [("PERCENT", "9.1 %"), ("PERCENT", "9.1%"), ("PERCENT", "9.1\u00a0percent")]),
        ("Seven none third 23rd", [("COUNT", "7"), ("COUNT", "0"), ("ORDINAL", "3"), ("ORDINAL", "23")]),
        ("23th", [("UNKNOWN", "23th")]),
        ("|--|:-:| |fees|", [("_RULE", "|--|:-:|"), ("BAR", "|"), ("FEES", "fees"), ("BAR", "|")]),
        ("fées", [("UNKNOWN", c) for c in "fées"]),
        ("what", [("UNKNOWN", "what")]),
        ("-0.0", [("UNKNOWN", "-"), ("UNKNOWN", "0"), ("UNKNOWN", "."), ("UNKNOWN", "0")]),
    ],
)
def test_sentences_are_cut_like_this(text, tokens):
    assert kinds(text) == tokens


def test_marks_count_where_words_may_begin_only():
    mark = Token("LABEL", "3", 0, 4)
    assert kinds("fees", {0: mark}) == [("LABEL", "3")]
    assert kinds("éfees", {1: mark._replace(start=1, end=5)})[1] == ("UNKNOWN", "f")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40) | st.text("fees 0123,.%-|:()/e", max_size=40))
def test_tokens_cover_everything_but_blanks(text):
    position = 0
    for token in cut(text, (0, len(text)), {}, KEYWORDS):
        assert text[position : token.start].strip(" \t\u00a0") == ""
        position = token.end
    assert position == len(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("118.40", (11840, 2)), ("-3.2", (-32, 1)), ("1.2e3", (1200, 0)), ("5e-1", (5, 1)), ("9.1 %", (91, 3)),
     ("12percent", (12, 2)), ("1e1%", (1, 1)), ("2.50 percent", (250, 4))],
)  # fmt: skip
def test_decimals_keep_the_digits_they_are_written_with(text, value):
    assert decimal(text) == value


def test_numerals_end_as_in_english():
    assert [numeral(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 101, 111, 112, 122)] == (
        "1st 2nd 3rd 4th 11th 12th 13th 21st 101st 111th 112th 122nd".split()
    )
