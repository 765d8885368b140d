"""Which words, numbers and labels of a prompt are those of settings, plan and earlier attempts."""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from dpspin_audits.verify.foreign_fields import leaves

NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
WORD = re.compile(r"[^\W\d_]+")
ESCAPES = re.compile(r'(?:\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt]))+')
"""What JSON writes for other characters; prompts hold plans and drafts as JSON."""
LONGEST = 100
"""Characters of a number that is looked at; a longer one is unknown."""


def unescaped(text: str) -> str:
    """A text with what JSON has escaped in it written out."""
    return ESCAPES.sub(lambda found: str(json.loads(f'"{found.group()}"')), text)


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
        new = {found for found in NUMBER.findall(text) if len(found) <= LONGEST} - self._written
        if new:  # an attempt has thousands of leaves, and most bring none
            self._written |= new
            self._numbers = sorted([*self._numbers, *map(Fraction, new)])

    def foreign_line(self, text: str) -> str | None:
        """The line with most unknown words and numbers; None where there is none."""
        unknown = [(self._unknown(line), line.strip()) for line in text.splitlines()]
        worst = max(unknown, key=lambda one: one[0], default=(0, ""))
        return worst[1] if worst[0] else None

    def foreign_number(self, text: str, longest: int) -> str | None:
        """The first number that is not known, unless it may be a place in a text of so many characters."""
        found = (number for number in NUMBER.findall(text) if not self._rounds_to(number))
        return next((one for one in found if not one.isdecimal() or len(one) > 9 or int(one) > longest), None)

    def _unknown(self, line: str) -> int:
        strange = sum(1 for found in NUMBER.findall(line) if not self._rounds_to(found))
        return strange + sum(1 for word in _words(line) if word not in self._words)

    def _rounds_to(self, written: str) -> bool:
        if written in self._written or len(written) > LONGEST:
            return len(written) <= LONGEST
        number, half = Fraction(written), Fraction(1, 2 * 10 ** len(written.partition(".")[2]))
        at = bisect_left(self._numbers, number - half)
        return at < len(self._numbers) and self._numbers[at] <= number + half


class Labels:
    """Labels of a plan's universe that it does not release.

    All of them may be shown to a decoder, since the universe is public; some of them are a choice that does not follow
    from the plan, unless a setting, another text of the plan or an earlier attempt names them.
    """

    def __init__(self, plan: dict[str, Any]) -> None:
        rows = {field: plan[field] if isinstance(plan.get(field), list) else [] for field in ("universe", "released")}
        names = {
            field: {row["label"].casefold() for row in found if isinstance(row, dict) and _is_text(row.get("label"))}
            for field, found in rows.items()
        }
        self._released, self._others = names["released"], names["universe"] - names["released"]
        self._longest_first = sorted(self._released | self._others, key=len, reverse=True)
        self._named: set[str] = set()
        for _, field, value in leaves(plan, ""):
            if field != "label":
                self.add(value)

    def add(self, tree: Any) -> None:
        """Texts that may name labels."""
        for _, _, value in leaves(tree, ""):
            if isinstance(value, str):
                self._named |= self._in(value)

    def picked(self, text: str) -> str | None:
        """A label that a text names although nothing accounts for it; None where it names all or none."""
        found = self._in(text)
        return None if len(found) == len(self._others) else min(found - self._named, default=None)

    def _in(self, text: str) -> set[str]:
        """Labels in a text, each where it is no piece of a longer one."""
        folded, found = text.casefold(), set()
        for label in self._longest_first:
            if label in folded:  # most are not, and to compile a pattern takes far longer
                folded, times = re.subn(rf"(?<!\w){re.escape(label)}(?!\w)", "\0", folded)
                found |= {label} if times else set()
        return found - self._released


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _words(text: str) -> Iterator[str]:
    return (word.casefold() for word in WORD.findall(text))
