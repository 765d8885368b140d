"""Section 14: the glossary, with the way back to the footnotes that lead to it."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from dpspin_audits.report.prose import Text, power, strong, text

NOTES = 7
"""Footnote numbers of the text: the first terms of the list."""
FACTOR = "e^ε"


class Term(NamedTuple):
    """One entry; `note` is the number of the footnote that leads to it, 0 for none."""

    name: Text
    words: Text
    note: int


FIXED, BUILT = "fixed before the records were read", "built from the records, at a cost of its own"
"""How the list of themes was made."""


@cache
def known() -> tuple[tuple[str, str], ...]:
    """Names and explanations, as they stand in `terms.toml`."""
    found = files("dpspin_audits.report").joinpath("terms.toml").read_text(encoding="utf-8")
    return tuple((row["name"], row["words"]) for row in tomllib.loads(found)["term"])


def _set(words: str) -> Text:
    """Words with the factor set as a power."""
    head, *rest = words.split(FACTOR)
    return text(head, *(text(power("e", "ε"), part) for part in rest))


def view(not_a_person: str, groups: int, *, charged: bool = False) -> tuple[Term, ...]:
    """The glossary.

    Args:
        not_a_person: the protected unit against a person.
        groups: number of the table of people with several units.
        charged: whether the themes were built from protected records.
    """
    known_here = {"not_a_person": not_a_person, "groups": groups, "made": BUILT if charged else FIXED}
    return tuple(
        Term(strong(name), _set(words.format(**known_here)), at if at <= NOTES else 0)
        for at, (name, words) in enumerate(known(), 1)
    )
