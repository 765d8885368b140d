"""Embeddings without a network or a download: latent semantic analysis of auxiliary texts (Deerwester et al. 1990).

An example of what may be plugged in, for two uses: assignment by similarity to the atoms' labels and descriptions, and
the likeness of two summaries (`lexical.Embed`).  A text's vector is a function of that text and of the fitted space.
The space itself is a function of all texts that it was fitted on: fitted on protected records it would be a release of
them, and no record's contribution would be its own any more.  `assigned` therefore refuses such a space.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.linalg import svds

from dpspin.errors import UsageError
from dpspin.universe import Universe
from dpspin_experiments.assignment.batch import Shares
from dpspin_experiments.assignment.rule import Rule, check_local, shares
from dpspin_experiments.dataset import DataSet, Entry
from dpspin_experiments.lexical import Rarity, rarity, tokens

Floats = npt.NDArray[np.float64]

DIMENSION = 64
STEPS = 2**20
"""Similarities become integers in these steps, each text by itself."""
TRIED = 20
"""Auxiliary texts on which the locality of a rule is tried."""


@dataclass(frozen=True, slots=True)
class Space:
    """Directions of words; float64[words, dimension]."""

    weights: Rarity = field(repr=False)
    place: dict[str, int] = field(repr=False)
    directions: Floats = field(repr=False)
    fitted_on: frozenset[str] = field(repr=False)
    """Ids of the entries whose texts decided the space."""

    def __call__(self, text: str) -> Floats:
        """The unit vector of one text, float64[dimension]; zero where no word of it is known."""
        counts = Counter(word for word in tokens(text) if word in self.place)
        rows = [self.place[word] for word in counts]
        weights = np.array([n * self.weights.known[word] for word, n in counts.items()])
        found = weights @ self.directions[rows] if rows else np.zeros(self.directions.shape[1])
        length = float(np.sqrt(found @ found))
        return np.asarray(found / length if length else found)


def fit(entries: Sequence[Entry], dimension: int = DIMENSION) -> Space:
    """A space from the texts of entries, which must be public or auxiliary if protected records are to be assigned.

    Raises:
        UsageError: when the texts have too few different words.
    """
    weights = rarity(entry.text for entry in entries)
    place = {word: at for at, word in enumerate(sorted(weights.known))}
    rank = min(dimension, len(entries) - 1, len(place) - 1)
    if rank < 1:
        raise UsageError("embedding", "too few texts or words to fit it on", "give more auxiliary records")
    matrix = _matrix(entries, weights, place)
    start = np.ones(min(matrix.shape))  # of the iteration, which would otherwise begin at random
    _, _, directions = svds(matrix, rank, v0=start)
    return Space(weights, place, np.asarray(directions.T), frozenset(entry.id for entry in entries))


def rule_of(embed: Callable[[str], Sequence[float] | Floats], universe: Universe) -> Rule:
    """Scores by the cosine with every atom's label and description, in integers; each text is scored by itself."""
    said = (
        f"{label} {description or ''}"
        for label, description in zip(universe.labels, universe.descriptions, strict=True)
    )
    atoms = np.array([embed(text) for text in said], np.float64)

    def score(texts: Sequence[str]) -> list[list[int]]:
        found = (np.rint(STEPS * (atoms @ np.asarray(embed(text), np.float64))) for text in texts)
        return [[max(int(x), 0) for x in row] for row in found]

    return score


def assigned(space: Space, data: DataSet, max_atoms: int) -> Shares:
    """Contributions of the protected records of a data set, one a row.

    Raises:
        UsageError: when the space was fitted on one of them, or its scores depend on the batch.
    """
    if not space.fitted_on.isdisjoint(entry.id for entry in data.halves.protected):
        raise UsageError("embedding", "fitted on protected records", "fit it on the auxiliary half, or on public text")
    rule = rule_of(space, data.universe)
    check_local(rule, [entry.text for entry in data.halves.auxiliary[:TRIED]], len(data.universe))
    return shares(rule, [entry.text for entry in data.halves.protected], len(data.universe), max_atoms)


def _matrix(entries: Sequence[Entry], weights: Rarity, place: dict[str, int]) -> Any:
    """Weighted counts, sparse float64[entries, words], every row of length 1."""
    cells = [
        (row, place[word], n * weights.known[word])
        for row, entry in enumerate(entries)
        for word, n in Counter(tokens(entry.text)).items()
    ]
    rows, columns, values = map(np.array, zip(*cells, strict=True))
    lengths = np.sqrt(np.bincount(rows, values**2, len(entries)))
    return sparse.csr_array((values / lengths[rows], (rows, columns)), (len(entries), len(place)))
