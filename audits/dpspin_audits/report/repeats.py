"""A text as what it adds to an earlier one: long parts that both have are named, not shown again; nothing is lost."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

BLOCK = 32
"""Characters by which equal parts are found."""
LEAST = 120
"""A shorter part is shown again: naming it would not save a reader's time."""


class Copy(NamedTuple):
    """A part of the earlier text: characters from `start` to before `end`, counted from 0."""

    start: int
    end: int


Part = str | Copy
"""Words of the new text, or a part of the earlier one in their place."""


def parts(old: str, new: str) -> list[Part]:
    """The new text in order; a part of at least `LEAST` characters that the earlier text has is a `Copy`."""
    return [part for part in _parts(old, new) if part]


def _parts(old: str, new: str) -> Iterator[Part]:
    places = {old[at : at + BLOCK]: at for at in range(len(old) - len(old) % BLOCK - BLOCK, -1, -BLOCK)}
    told = at = 0
    while at <= len(new) - BLOCK:
        found = places.get(new[at : at + BLOCK])
        before, after = (0, 0) if found is None else _reach(old, found, new, (told, at))
        if found is None or before + after < LEAST:
            at += 1
            continue
        yield new[told : at - before]
        yield Copy(found - before, found + after)
        told = at = at + after
    yield new[told:]


def _reach(old: str, found: int, new: str, limits: tuple[int, int]) -> tuple[int, int]:
    """How many characters before and from two equal places on are equal as well."""
    told, at = limits
    back, forth = min(found, at - told), min(len(old) - found, len(new) - at)
    before = bisect_left(range(1, back + 1), True, key=lambda n: old[found - n : found] != new[at - n : at])
    after = bisect_left(range(1, forth + 1), True, key=lambda n: old[found : found + n] != new[at : at + n])
    return before, after


def whole(old: str, found: list[Part]) -> str:
    """The new text again."""
    return "".join(part if isinstance(part, str) else old[part.start : part.end] for part in found)
