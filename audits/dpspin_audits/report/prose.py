"""Texts as values: runs of characters with a role, which the templates turn into elements.

Every text that comes from evidence passes through here, so that no character can hide: format and control characters
become runs of their own, shown as boxed code points.
"""

import unicodedata
from itertools import groupby
from typing import Literal, NamedTuple

UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
Role = Literal["text", "code", "label", "strong", "em", "sup", "var", "link", "note", "status", "control"]


class Run(NamedTuple):
    """A piece of text with one role."""

    role: Role
    text: str
    href: str = ""
    """Target within the page, for a link."""


Text = tuple[Run, ...]
"""A text is the sequence of its runs."""


def is_unseen(character: str) -> bool:
    """Whether a character has no ink of its own and could hide or reorder what stands beside it."""
    return unicodedata.category(character) in UNSEEN


def run(role: Role, text: str) -> Text:
    """Runs of one role; unseen characters are cut out and named."""
    found: list[Run] = []
    for unseen, characters in groupby(text, is_unseen):
        if unseen:
            found += [Run("control", f"U+{ord(character):04X}") for character in characters]
        else:
            found.append(Run(role, "".join(characters)))
    return tuple(found)


def lines(value: str) -> Text:
    """Text as it is laid out: line ends stay, other unseen characters are named."""
    pieces = [run("text", line) for line in value.split("\n")]
    return tuple(piece for at, line in enumerate(pieces) for piece in ((Run("text", "\n"), *line) if at else line))


def text(*parts: str | Text) -> Text:
    """A text from strings and finished texts."""
    return tuple(piece for part in parts for piece in (run("text", part) if isinstance(part, str) else part))


def code(value: str) -> Text:
    """A file name, identifier, digest or command."""
    return run("code", value)


def label(value: str) -> Text:
    """Words that others wrote; their writing direction stays inside."""
    return run("label", value)


def strong(value: str) -> Text:
    """Words that carry the sentence."""
    return run("strong", value)


def status(value: str) -> Text:
    """A check's status: shape, word and colour."""
    return (Run("status", value),)


def var(value: str) -> Text:
    """A quantity that stands for any number."""
    return (Run("var", value),)


def link(value: str, target: str) -> Text:
    """Words that lead to an id in this page."""
    return (Run("link", value, f"#{target}"),)


def note(number: int) -> Text:
    """A footnote number that leads to the terms and back."""
    return (Run("note", str(number)),)


def power(base: str, exponent: str) -> Text:
    """base to the exponent."""
    return (Run("text", base), Run("sup", exponent))


def joined(parts: list[Text], last: str = " and ", between: str = ", ") -> Text:
    """An enumeration: a, b and c."""
    if len(parts) < 2:
        return parts[0] if parts else ()
    head = [piece for part in parts[:-1] for piece in text(between, part)][1:]
    return text(tuple(head), last, parts[-1])


def plain(value: Text) -> str:
    """The characters of a text alone, for titles and drawings; without its footnote numbers."""
    shown = (piece for piece in value if piece.role != "note")
    return "".join(f"[{piece.text}]" if piece.role == "control" else piece.text for piece in shown)


def clipped(value: str, width: int) -> str:
    """A text cut to a width in figures of a sans-serif face (0.56 of its size each), unseen characters named."""
    shown = plain(run("text", value))
    used = 0.0
    for at, character in enumerate(shown):
        used += _advance(character)
        if used > width:
            return shown[: max(at - 1, 0)].rstrip() + "…"
    return shown


def _advance(character: str) -> float:
    """Width of a character in figures, rather too much than too little."""
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    if character in "iljft.,;:'|!()[] /":
        return 0.5
    return 1.5 if character in "mwMW" else 1.25 if character.isupper() else 1
