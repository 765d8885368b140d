"""The controlled language G0: one sentence to claims and back (contract.md section 2, grammar in `g0.lark`).

A sentence is read from tokens, never from a rewritten string.  Labels and bin names arrive as tokens that the verifier
made from the plan, so no written text can forge one; words, numbers and marks are cut here, and whatever cannot be cut
becomes a token that no rule takes.  Reading is therefore total: either every character is used, or there is no reading.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import resources
from itertools import chain
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedToken
from lark.lexer import PatternStr

from dpspin.decoder.claims import Bin, Claim, Comparison, Count, Mass, Mention, Parameter, Rank, Similarity, Support

Span = tuple[int, int]
"""Start and end in the raw text."""
Fact = Callable[[int], Claim]
"""What may be said of an atom still to be named."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

APART = re.compile("(?<![^ \t\n\u00a0(])")
"""Where words, numbers and labels may begin: after a blank, a bracket or nothing."""
PIECE = re.compile(
    r"""
    (?P<blank> [ \t\u00a0]+ )
  | (?P<mark> [,;:()] )
  | (?<! [^ \t\n\u00a0(] ) (?:
        (?P<word> [A-Z]+ ) (?!\w)
      | (?P<number>
            (?P<ratio> [0-9]{1,400} / [1-9][0-9]{0,399} )
          | (?P<minus> - (?= [0-9,.]*[1-9] ) )?            # minus zero is no number of this language
            (?P<whole> 0 | [1-9][0-9]{0,2} (?: ,[0-9]{3} ){1,133} | [1-9][0-9]{0,399} )
            (?P<rest> (?: \.[0-9]{1,400} )? (?: e[+-]?[0-9]{1,2} )? )
        ) (?! [.,/]?\w )
    )
    """,
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)


class Reading(NamedTuple):
    """What one sentence says."""

    claims: tuple[Claim, ...]
    lists: tuple[tuple[int, ...], ...] = ()
    """Atoms listed in one breath: the order of a list is read as the order of ranks."""
    row: tuple[int, ...] = ()
    """The atom of a row; rows that follow each other are a list too."""


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
        text: the whole raw text, U+2212 replaced by the ASCII minus and all marks blotted out.
        span: the sentence, without its full stop.
        marks: LABEL and BIN_NAME tokens by start; their values are positions in the universe and among the bins.
    """
    session = parser().parse_interactive()
    try:
        for token in _tokens(text, span, marks):
            tree = session.feed_token(token)
    except UnexpectedToken as error:
        return Foreign((error.token.start_pos or 0, error.token.end_pos or 0))
    reading: Reading = _Reader().transform(tree)
    return reading


def _tokens(text: str, span: Span, marks: Mapping[int, Token]) -> Iterator[Token]:
    position, end = span
    bullet = re.compile(r"[ \t\u00a0]*-(?=[ \t\u00a0])").match(text, position, end)
    if bullet:
        yield Token("_BULLET", "-", position, end_pos=bullet.end())
        position = bullet.end()
    while position < end:
        mark = marks.get(position)
        if mark is not None and APART.match(text, position):
            token = mark
        else:
            token = _token(None if mark else PIECE.match(text, position, end), text, position)
        position = token.end_pos or end
        if token.type != "BLANK":
            yield token
    yield Token("$END", "", end, end_pos=end)


def _token(piece: re.Match[str] | None, text: str, position: int) -> Token:
    if piece is None:
        return Token("UNKNOWN", text[position], position, end_pos=position + 1)
    name, value = piece.lastgroup or "", piece.group().lower()
    if name == "number":
        value = value.replace(",", "")
        name = "RATIO" if piece["ratio"] else "DECIMAL" if piece["minus"] or piece["rest"] else "INTEGER"
    elif value in ORDINALS:
        name, value = "ORDINAL", str(ORDINALS.index(value) + 1)
    elif name in ("word", "mark"):
        name = keywords().get(value, "UNKNOWN")
    return Token(name.upper(), value, position, end_pos=piece.end())


def decimal(text: str) -> tuple[int, int]:
    """A written decimal as (numerator, digits): "118.40" is (11840, 2), "1.2e3" is (1200, 0)."""
    base, _, exponent = text.partition("e")
    whole, _, fraction = base.partition(".")
    digits = len(fraction) - int(exponent or 0)
    return int(whole + fraction) * 10 ** max(-digits, 0), max(digits, 0)


@v_args(inline=True)
class _Reader(Transformer[Token, Any]):
    """From the tree of a sentence to its reading; each method is named after the rule it reads."""

    def start(self, *parts: Reading) -> Reading:
        claims, lists, rows = (tuple(chain.from_iterable(field)) for field in zip(*parts, strict=True))
        return Reading(claims, lists, rows)

    def mass(self, number: Token) -> Fact:
        return lambda atom: Mass(atom, *decimal(number))

    def support(self, number: Token) -> Fact:
        return lambda atom: Support(atom, *decimal(number))

    def place(self, name: Token) -> Fact:
        return lambda atom: Bin(atom, int(name))

    def below(self) -> Fact:
        return lambda atom: Bin(atom, 0)

    def rank(self, number: Token) -> Fact:
        return lambda atom: Rank(atom, int(number))

    def more(self, other: Token) -> Fact:
        return lambda atom: Comparison(atom, int(other))

    def less(self, other: Token) -> Fact:
        return lambda atom: Comparison(int(other), atom)

    def about(self, label: Token, *facts: Fact) -> Reading:
        return Reading(tuple(fact(int(label)) for fact in facts))

    def row(self, label: Token, *facts: Fact) -> Reading:
        return self.about(label, *facts)._replace(row=(int(label),))

    def together(self, *parts: Any) -> Reading:
        atoms, fact = tuple(int(label) for label in parts[:-1]), parts[-1]
        return Reading(tuple(fact(atom) for atom in atoms), (atoms,))

    def alike(self, left: Token, right: Token) -> Reading:
        return Reading((Similarity(int(left), int(right)),))

    def mass_of(self, label: Token, number: Token) -> Reading:
        return Reading((Mass(int(label), *decimal(number)),))

    def support_of(self, label: Token, number: Token) -> Reading:
        return Reading((Support(int(label), *decimal(number)),))

    def members(self, *labels: Token) -> Reading:
        atoms = tuple(int(label) for label in labels)
        return Reading(tuple(Mention(atom) for atom in atoms), (atoms,) if len(atoms) > 1 else ())

    def includes(self, members: Reading) -> Reading:
        return members

    def releases(self, number: Token, members: Reading | None = None) -> Reading:
        count = Count(int(number))
        if members is None:
            return Reading((count,))
        listed = Count(len(members.claims))  # after a colon, the list claims to be the whole
        return Reading((count, *members.claims, *(() if listed == count else (listed,))), members.lists)

    def counted(self, number: Token, place: Fact) -> Reading:
        bin_ = place(0)
        return Reading((Count(int(number), bin_.bin if isinstance(bin_, Bin) else None),))

    def epsilon(self, number: Token) -> Reading:
        return Reading((Parameter("epsilon", str(number)),))

    def delta(self, number: Token) -> Reading:
        return Reading((Parameter("delta", str(number)),))

    def denominator(self, number: Token) -> Reading:
        return Reading((Parameter("denominator", str(number)),))

    def plan_size(self, number: Token) -> Reading:
        return Reading((Parameter("plan size", str(number)),))

    def spent(self, epsilon: Reading, delta: Reading) -> Reading:
        return self.start(epsilon, delta)
