"""Which words and numbers of a prompt are those of settings, plan and earlier attempts."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from dpspin_audits.verify.foreign_fields import leaves

NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
WORD = re.compile(r"[^\W\d_]+")
LONGEST = 100
"""Characters of a number that is looked at; a longer one is unknown."""


class Known:
    """Words and numbers that a decoder may be shown, names of fields included.

    A number is known if a known one rounds to it.
    """

    def __init__(self, trees: Iterable[Any]) -> None:
        """Trees: settings and plan."""
        self._words = {"null", "true", "false"}
        self._written: set[str] = set()
        self._numbers: list[Fraction] = []
        for tree in trees:
            self.add(tree)

    def add(self, tree: Any) -> None:
        """Words and numbers of one more object."""
        text = "\n".join(f"{path} {value}" for path, _, value in leaves(tree, ""))
        self._words.update(_words(text))
        self._written.update(found for found in NUMBER.findall(text) if len(found) <= LONGEST)
        self._numbers = sorted(map(Fraction, self._written))

    def foreign_line(self, text: str) -> str | None:
        """The line with most unknown words and numbers; None where there is none."""
        unknown = [(self._unknown(line), line.strip()) for line in text.splitlines()]
        worst = max(unknown, key=lambda one: one[0], default=(0, ""))
        return worst[1] if worst[0] else None

    def _unknown(self, line: str) -> int:
        strange = sum(1 for found in NUMBER.findall(line) if not self._rounds_to(found))
        return strange + sum(1 for word in _words(line) if word not in self._words)

    def _rounds_to(self, written: str) -> bool:
        if written in self._written or len(written) > LONGEST:
            return len(written) <= LONGEST
        number, half = Fraction(written), Fraction(1, 2 * 10 ** len(written.partition(".")[2]))
        at = bisect_left(self._numbers, number - half)
        return at < len(self._numbers) and self._numbers[at] <= number + half


def _words(text: str) -> Iterator[str]:
    return (word.casefold() for word in WORD.findall(text))
