"""The controlled language G0: one sentence to claims and back (contract.md section 2, grammar in `g0.lark`).

A sentence is read from tokens, never from a rewritten string.  Labels and bin names arrive as tokens that the verifier
made from the plan, so no written text can forge one.  Reading is total: either every character is used, or there is no
reading.  How a sentence parses depends on the kinds of its tokens alone, so sentences of one shape are parsed once.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from lark import Lark
from lark import Token as Slot
from lark.exceptions import UnexpectedToken
from lark.lexer import PatternStr

from dpspin.decoder import senses, tokens
from dpspin.decoder.senses import Reading, Sense
from dpspin.decoder.tokens import Span, Token

LONGEST_KEPT = 100
"""Tokens of a shape that is remembered; longer sentences are parsed every time."""


class Foreign(NamedTuple):
    """No sentence of the language, and where that shows first."""

    span: Span


@cache
def parser(*, debug: bool = False) -> Lark:
    """The LALR parser; with `debug`, lark logs every conflict that it would resolve silently."""
    grammar = resources.files("dpspin.decoder").joinpath("g0.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", maybe_placeholders=False, debug=debug)


@cache
def keywords() -> dict[str, str]:
    """Every word and mark of the language, with the name of its terminal."""
    return {t.pattern.value: t.name for t in parser().terminals if isinstance(t.pattern, PatternStr)}


def read(text: str, span: Span, marks: Mapping[int, Token]) -> Reading | Foreign:
    """Read the sentence that stands at `span`.

    Args:
        text: the whole raw text, U+2212 replaced by the ASCII minus and all labels blotted out.
        span: the sentence, without its full stop.
        marks: LABEL, BIN_NAME and _NEXT_ROW tokens by start; values of the first two are positions in the universe and
            among the bins.
    """
    found = list(tokens.cut(text, span, marks, keywords()))
    shape = tuple(token.kind for token in found)
    sense = _remembered(shape) if len(shape) <= LONGEST_KEPT else sense_of(shape)
    if isinstance(sense, int):
        return Foreign((found[sense].start, found[sense].end))
    return sense([token.value for token in found])


def sense_of(shape: tuple[str, ...]) -> Sense | int:
    """What sentences of a shape say, or the place of the first token that fits no rule; kinds end with $END."""
    session = parser().parse_interactive()
    try:
        for place, kind in enumerate(shape):
            tree = session.feed_token(Slot(kind, str(place)))
    except UnexpectedToken as error:
        return int(error.token)
    return senses.sense(shape, tree)


_remembered = lru_cache(1024)(sense_of)
