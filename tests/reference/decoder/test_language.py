"""The language: one grammar without conflicts, read to the last character."""

import logging
import random
import unicodedata
from itertools import pairwise

import lark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.decoder import language
from dpspin.decoder.claims import Above, Bin, Comparison, Count, Mass, Mention, Parameter, Rank, Similarity, Support
from dpspin.decoder.language import Foreign
from dpspin.decoder.page import Marker
from dpspin.decoder.senses import Reading
from dpspin.decoder.tokens import COUNTS, ORDINALS, Token, decimal
from dpspin.universe import COMMON_WORDS


@pytest.fixture(scope="session")
def read(fixed):
    marker = Marker(fixed)

    def _read(text):
        page = marker.page(text)
        return language.read(page.blotted, page.words((0, len(text))), page.marks)

    return _read


def conflicts(build):
    """What lark logs about conflicts, which it resolves silently."""
    lines = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    level = lark.logger.level
    lark.logger.addHandler(handler)
    lark.logger.setLevel(logging.DEBUG)
    try:
        build()
    finally:
        lark.logger.removeHandler(handler)
        lark.logger.setLevel(level)
    return [line for line in lines if "conflict" in line.lower()]


def test_grammar_has_no_conflict():
    assert conflicts(lambda: language.parser.__wrapped__(debug=True)) == []


def test_a_planted_conflict_is_seen():
    dangling = 'start: "if" start | "if" start "else" start | "x"'
    assert conflicts(lambda: lark.Lark(dangling, parser="lalr", debug=True))


def test_marks_and_numbers_share_no_name_with_a_word():
    declared = {terminal.name for terminal in language.parser().terminals} - set(language.keywords().values())
    names = "LABEL BIN_NAME INTEGER DECIMAL PERCENT RATIO ORDINAL COUNT _BULLET _NEXT_ROW _RULE".split()
    assert declared <= set(names)
    assert not {*names, "UNKNOWN", "RULE", "$END"} & set(language.keywords().values())


def test_one_terminal_is_one_word_or_mark():
    assert all(word.isalpha() or len(word) == 1 for word in language.keywords())


def test_words_of_the_language_cannot_be_labels():
    words = {word for word in language.keywords() if word.isalpha()} | {*ORDINALS, *COUNTS, "percent"}
    assert words <= COMMON_WORDS


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Dry skin has noisy mass 1,234.50 (rank 3)", [Mass(0, 123450, 2), Rank(0, 3)]),
        ("fees has a noisy mass of -2.5e1 and a normalised support of 2.5e-1", [Mass(4, -25, 0), Support(4, 25, 2)]),
        ("fees is ranked second and is in the low bin and has rank 2", [Rank(4, 2), Bin(4, 1), Rank(4, 2)]),
        ("fees has rank 2 and a noisy mass of 1 and falls in the low bin", [Rank(4, 2), Mass(4, 1, 0), Bin(4, 1)]),
        ("fees has less support than dry skin and has more support than crème", [Comparison(0, 4), Comparison(4, 11)]),
        ("fees and dry skin have similar support; account is below the noise floor", [Similarity(4, 0), Bin(13, 0)]),
        ("the plan releases 1,000 themes: fees", [Count(1000), Mention(4), Count(1)]),
        ("the plan releases 2 themes: fees and account", [Count(2), Mention(4), Mention(13)]),
        ("12 released themes are below the noise floor", [Count(12, 0)]),
        ("epsilon is 1/3 and delta is 1e-10", [Parameter("epsilon", "1/3"), Parameter("delta", "1e-10")]),
        ("- fees: low bin, below the noise floor, noisy mass 0", [Bin(4, 1), Bin(4, 0), Mass(4, 0, 0)]),
        ("fees is in the below noise floor bin", [Bin(4, 0)]),
        ("fees has a normalised support of 12.8 %", [Support(4, 128, 3)]),
        ("fees has normalized support 1e1% of the public denominator", [Support(4, 1, 1)]),
        ("the normalised support of fees is 0.05 percent of the public denominator", [Support(4, 5, 4)]),
        ("fees ranks above dry skin and is ranked below account", [Above(4, 0), Above(13, 4)]),
        ("fees ranks twelfth and is ranked 22nd", [Rank(4, 12), Rank(4, 22)]),
        ("fees ranks third among the released themes", [Rank(4, 3)]),
        ("among the released themes, fees ranks third; account ranks 1st", [Rank(4, 3), Rank(13, 1)]),
        ("of the seven released themes, three are in the low bin", [Count(7), Count(3, 1)]),
        ("the plan releases two themes, and no released theme is in the low bin", [Count(2), Count(0, 1)]),
        ("all 3 released themes are in the low bin", [Count(3), Count(3, 1)]),
        ("both released themes fall below the noise floor", [Count(2), Count(2, 0)]),
        ("both fees and account are in the low bin", [Bin(4, 1), Bin(13, 1)]),
    ],
)
def test_sentences_read_as_their_claims(read, text, claims):
    assert read(text) == Reading(tuple(claims), read(text).lists, read(text).row)


def test_lists_and_rows_are_reported(read):
    assert read("fees, account, and shipping are in the low bin").lists == ((4, 13, 10),)
    assert read("the released themes include fees and account").lists == ((4, 13),)
    assert read("- fees: rank 1").row == (4,)
    assert read("fees has rank 1") == Reading((Rank(4, 1),))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("fees ranks fourth.", "."),
        ("fees ranks", ""),
        ("fees has noisy mass 1.5%", "1.5%"),
        ("fees has noisy mass 1.5 percent", "1.5 percent"),
        ("fees has normalised support 1.5 percents", "percents"),
        ("fees has normalised support 1.5percent", "1"),
        ("fees has normalised support 1.5% of reviews", "reviews"),
        ("fees has normalised support 1/2%", "1/2"),
        ("fees ranks 3th", "3th"),
        ("fees ranks 11st", "11st"),
        ("fees ranks 01st", "0"),
        ("fees has a noisy mass of seven", "seven"),
        ("fees has rank seven", "seven"),
        ("fees ranks above dry skin and account", "account"),
        ("eleven released themes are in the low bin", "eleven"),
        ("among the themes, fees ranks first", "themes"),
        ("among the released themes fees ranks first", "fees"),
        ("3 are in the low bin", "are"),
        ("both fees, dry skin and account are in the low bin", ","),
        ("both fees and dry skin have similar support", "have"),
        ("fees has noisy mass 1,23", "1"),
        ("fees has noisy mass -0.0", "-"),
        ("fees hasrank 1", "hasrank"),
        ("fees has rank1", "r"),
        ("fees is in the unknown bin", "unknown"),
        ("fees and account has rank 1", "has"),
        ("fees is in the low bin and account is in the low bin", "account"),
        ("fees ranks first with rank 1", "rank"),
        ("fees ran\u212as first", "ran"),
        ("fees rank\u017f first", "rank"),
        ("fees ranks first,account ranks second", "a"),
        ("fees has noisy mass 1.5,rank 1", "1"),
    ],
)
def test_the_first_thing_not_understood_is_pointed_at(read, text, found):
    if text.endswith("."):
        text += "."
    reading = read(text)
    assert isinstance(reading, Foreign)
    assert text[slice(*reading.span)] == found


@pytest.mark.parametrize("glue", ["", "-", "/", ".", "_", "'", "\u200b", "é"])
def test_words_must_be_apart(read, glue):
    words = "fees has noisy mass 108.8 (rank 1)".split()
    assert isinstance(read(" ".join(words)), Reading)
    for left, right in pairwise(range(len(words))):
        text = " ".join(words[: left + 1]) + glue + " ".join(words[right:])
        # a bracket may follow a number directly: it is no part of a word
        assert isinstance(read(text), Foreign) or (glue == "" and words[right].startswith("(")), text


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=12).filter(lambda text: any(not c.isspace() for c in text)))
def test_nothing_written_is_overlooked(read, extra):
    claims = (Rank(4, 3),)
    assert read("fees has rank 3").claims == claims
    for text in (f"{extra} fees has rank 3", f"fees {extra} has rank 3", f"fees has rank 3 {extra}"):
        reading = read(text)
        # what may stand there says more (" and ranks first") or is a full stop or a bullet, never a stray character
        assert isinstance(reading, Foreign) or extra.strip(" \t\u00a0") in (".", "-")


@given(st.integers(-(10**9), 10**9), st.integers(0, 9))
def test_decimals_keep_their_digits(numerator, digits):
    text = f"{'-' if numerator < 0 else ''}{abs(numerator) // 10**digits}"
    text += f".{abs(numerator) % 10**digits:0{digits}d}" if digits else ""
    assert decimal(text) == (numerator, digits)


def test_every_character_of_the_language_is_plain():
    assert all(
        (c == "|" or unicodedata.category(c)[0] in "LP") and c.isascii() for word in language.keywords() for c in word
    )


def sentence_of(rng):
    """The tokens of a random sentence of the grammar, each label and number in it once."""
    words = {name: word for word, name in language.keywords().items()}
    session, tokens = language.parser().parse_interactive(), []
    while True:
        choices = sorted(session.accepts() - {"$END"})
        if not choices or ("$END" in session.accepts() and rng.random() < 0.2):
            return tokens
        kind = rng.choice(choices)
        value = {"BIN_NAME": "1", "ORDINAL": "2", "DECIMAL": f"{len(tokens)}.5", "RATIO": f"{len(tokens)}/7"}
        session.feed_token(lark.Token(kind, ""))
        number = str(1000 + len(tokens)) + "%" * (kind == "PERCENT")
        tokens.append(Token(kind, value.get(kind, words.get(kind, number)), 0, 0))


def test_every_label_and_number_of_a_sentence_stands_in_its_claims():
    rng = random.Random(7)
    for _ in range(600):
        found = sentence_of(rng)
        kinds = [token.kind for token in found]
        sense = language.sense_of((*kinds, "$END"))
        if isinstance(sense, int):  # a cell that does not fit its column
            assert kinds[sense] in ("INTEGER", "DECIMAL", "PERCENT", "BIN_NAME", "BELOW", "LABEL")
            continue
        claims = repr(sense([token.value for token in found] + [""]).claims)
        for token in found:
            if token.kind in ("LABEL", "INTEGER", "DECIMAL", "RATIO", "COUNT"):
                number = token.value.replace(".", "")
                assert token.value in claims or str(int(number)) in claims, (found, claims)
        placed = kinds.count("BIN_NAME") + kinds.count("NOISE")
        assert (placed > 0) == ("bin=0" in claims or "bin=1" in claims)
        assert claims.count("Comparison") == kinds.count("MORE") + kinds.count("LESS")
        assert claims.count("Above") == kinds.count("ABOVE") + pairs(kinds, "BELOW", "LABEL")
        ranked = sum(claims.count(f"rank={token.value}") > 0 for token in found if token.kind == "ORDINAL")
        assert ranked == kinds.count("ORDINAL")


def pairs(kinds, left, right):
    return list(pairwise(kinds)).count((left, right))
