"""Fixed public vocabularies, and what one unit says in them.

A vocabulary comes from the labels of the universe, which are declared before any protected record is read.  A unit
counts for the few of its entries that it names most often, so that one unit moves every histogram by a known amount.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin.corpus.dictionary import SEPARATOR
from dpspin.corpus.representation import terms
from dpspin.universe import COMMON_WORDS, Universe
from dpspin_experiments.baselines.documents import Document

Counts = npt.NDArray[np.int64]

SHORTEST = 4
"""Letters of a keyword; shorter words, and the words that every text needs, are none."""


class Vocabulary(NamedTuple):
    """Entries that may be counted, fixed and public."""

    kind: Literal["keyword", "category"]
    entries: tuple[str, ...]
    most: int
    """Entries that one unit counts for, at most."""

    def chosen(self, document: Document) -> list[int]:
        """The entries that a unit counts for: those it names most often, the earlier of equals; ascending."""
        named = terms(document.text) if self.kind == "keyword" else Counter(document.categories)
        held = [at for at, entry in enumerate(self.entries) if named[entry]]
        return sorted(sorted(held, key=lambda at: -named[self.entries[at]])[: self.most])

    def rows(self, documents: Sequence[Document]) -> Counts:
        """int64[units, entries]: 1 where a unit counts for an entry."""
        found = np.zeros((len(documents), len(self.entries)), np.int64)
        for row, document in zip(found, documents, strict=True):
            row[self.chosen(document)] = 1
        return found


def keywords(universe: Universe, most: int = 5) -> Vocabulary:
    """Words of the atoms' labels, in order of first appearance."""
    words = (word for label in universe.labels for word in terms(label) if telling(word))
    return Vocabulary("keyword", tuple(dict.fromkeys(words)), most)


def categories(universe: Universe, most: int = 1) -> Vocabulary:
    """First parts of the atoms' labels, in order of first appearance."""
    return Vocabulary("category", tuple(dict.fromkeys(label.split(SEPARATOR)[0] for label in universe.labels)), most)


def telling(word: str) -> bool:
    """Whether a word of a label is a keyword."""
    return len(word) >= SHORTEST and word not in COMMON_WORDS
