"""Where a text names atoms: the leftmost-longest scan of all m labels over the raw text (spec.md section 5).

The longest label wins even if it is not released, so that "account access" cannot be read out of "account access
denied".  Case is folded and a run of blanks counts as one; a label never begins or ends inside a word.  Folding may
change the length of a text, so every span is kept in raw positions.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from dpspin.errors import UsageError
from dpspin.universe import fold, in_word

END = ""
"""Key of a node at which a label ends; no character is empty."""
BLANK = re.compile(r"\s")


class Found(NamedTuple):
    """One occurrence of a label: raw start and end, and the atom's position in the universe."""

    start: int
    end: int
    atom: int


class Labels:
    """All labels of a universe as one tree, so that a scan costs no more for many labels than for one."""

    def __init__(self, labels: Iterable[str]) -> None:
        """Build the tree.

        Raises:
            UsageError: when a label is blank or reads like another one.
        """
        self._tree: dict[str, Any] = {}
        for atom, label in enumerate(labels):
            node = self._tree
            for character in fold(label):
                node = node.setdefault(character, {})
            if node is self._tree or END in node:
                problem = f"{label!a} reads like atom {node[END]}" if END in node else "is blank"
                raise UsageError(f"universe: label {atom}", problem, "give every atom a label of its own")
            node[END] = atom

        first = "".join(re.escape(character) for character in sorted(self._tree))
        # a superset of where labels may begin, found fast: never between two ASCII letters or digits
        self._start = re.compile(f"(?:(?<![a-z0-9])|(?![a-z0-9]))[{first}]") if first else None

    def scan(self, text: str) -> list[Found]:
        """Every label in the text, from left to right; the matches do not overlap."""
        folded, origins = _folded(text)
        found: list[Found] = []
        start = self._start.search(folded) if self._start else None
        while self._start and start:
            end, atom = self._longest(folded, start.start())
            if end > start.start():
                found.append(Found(origins[start.start()], origins[end - 1] + 1, atom))
            start = self._start.search(folded, max(end, start.end()))
        return found

    def _longest(self, folded: str, start: int) -> tuple[int, int]:
        """End and atom of the longest label at `start`; the end is `start` where there is none."""
        best = start, -1
        if not _may_divide(folded, start):
            return best
        node, position = self._tree, start
        while position < len(folded) and folded[position] in node:
            step = folded[position]
            node, position = node[step], position + 1
            while step == " " and folded[position : position + 1] == " ":
                position += 1
            if END in node and _may_divide(folded, position):
                best = position, node[END]
        return best


@lru_cache(maxsize=8)
def labels_of(labels: tuple[str, ...]) -> Labels:
    """The scan of a universe, which many plans share; building it costs as much as verifying a short text.

    Raises:
        UsageError: as `Labels`.
    """
    return Labels(labels)


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """The text with case folded and every blank a space, and for each of its characters the raw position it is from."""
    folded = BLANK.sub(" ", text.casefold())
    if len(folded) == len(text):  # a character folds to one or more, and never depends on its neighbours
        return folded, range(len(text))
    return folded, [position for position, character in enumerate(text) for _ in character.casefold()]


def _may_divide(folded: str, position: int) -> bool:
    """Whether a label may begin or end here: not inside a word, nor what was one character (all folds are letters)."""
    return position in (0, len(folded)) or not (in_word(folded[position - 1]) and in_word(folded[position]))
