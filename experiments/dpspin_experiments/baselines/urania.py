"""A baseline in the style of URANIA (Liu et al. 2025, arXiv 2506.04681), as the paper's section 6 adapts it.

Its release structure: private clustering, noisy cluster sizes with a threshold, a private keyword histogram for every
cluster that is kept, and a description from released keywords alone.  The adaptation: documents are sets of at most
`most` keywords of a fixed public vocabulary, and clusters are found by Lloyd's iterations on noisy sums and sizes (Blum
et al. 2005; Su et al. 2016) from public first centres.  It compares release structures and reproduces no result.

Under replacement one unit may leave one cluster and enter another: every stage of the clustering moves by two
contributions, as the histograms do (`budget.moved`).  Assignments are made in integers, one document at a time, so
that no document's cluster depends on which others are read.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin.adjacency import MASS_UNIT
from dpspin.corpus.representation import terms
from dpspin.curator.full_sketch import Samples
from dpspin.curator.noise import Bits, Integers
from dpspin.universe import Universe
from dpspin_experiments.baselines.budget import Budget, Stage
from dpspin_experiments.baselines.documents import Document
from dpspin_experiments.baselines.vocabulary import Counts, Vocabulary, keywords

Floats = npt.NDArray[np.float64]

GRID = 1024
"""Centres are multiples of 1 / GRID."""
CLUSTERING, SIZES, KEYWORDS = Fraction(1, 2), Fraction(1, 10), Fraction(2, 5)
"""Shares of the budget; they add up to 1."""


class Urania(NamedTuple):
    """Public parameters, fixed before any document is read."""

    vocabulary: Vocabulary
    first: tuple[tuple[int, ...], ...]
    """Entries of every first centre, one a cluster."""
    rounds: int
    """Lloyd's iterations."""
    threshold: int
    """Least noisy size of a cluster that is described."""
    described: int = 5
    """Keywords of a description."""
    name: str = "URANIA-style"

    @property
    def stages(self) -> tuple[Stage, ...]:
        """One for each iteration, one for sizes, one for keywords; a unit is in one cluster at each of them."""
        most = self.vocabulary.most
        rounds = [Stage(f"centres {at + 1}", CLUSTERING / self.rounds, most + 1, most + 1) for at in range(self.rounds)]
        return (*rounds, Stage("sizes", SIZES, 1, 1), Stage("keywords", KEYWORDS, most, most))

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many noisy numbers every stage has."""
        clusters, width = len(self.first), len(self.vocabulary.entries)
        return (*(clusters * (width + 1) for _ in range(self.rounds)), clusters, clusters * width)

    @property
    def cells(self) -> tuple[str, ...]:
        """Names of all noisy numbers, stage by stage, cluster by cluster."""
        entries, numbers = self.vocabulary.entries, range(len(self.first))
        rounds = [
            f"round {r + 1}, cluster {j}, {e}" for r in range(self.rounds) for j in numbers for e in (*entries, "size")
        ]
        return (*rounds, *(f"size {j}" for j in numbers), *(f"cluster {j}, {e}" for j in numbers for e in entries))

    def exact(self, rows: Counts, released: Integers, stage: int) -> Integers:
        """int64[runs, numbers of the stage]: a stage's exact numbers, given the noisy ones of all earlier stages.

        Sizes are a stage of their own that needs no noisy number but the last centres, as keywords do.
        """
        clusters, width = len(self.first), len(self.vocabulary.entries)
        before, runs = min(stage, self.rounds), len(released)
        held = released[:, (before - 1) * clusters * (width + 1) : before * clusters * (width + 1)]
        first = np.broadcast_to(self._first(), (runs, clusters, width))
        centres = centre(held.reshape(runs, clusters, width + 1)) if before else first
        found = totals(rows, assigned(rows, centres), clusters)
        part = found if stage < self.rounds else found[:, :, width] if stage == self.rounds else found[:, :, :width]
        return part.reshape(runs, -1)

    def noisy(self, documents: Sequence[Document], noises: Sequence[Integers]) -> Integers:
        """int64[runs, cells]: every noisy number, those of clusters below the threshold included.

        Args:
            documents: the protected units.
            noises: of every stage, int64[runs, numbers of the stage].
        """
        rows, released = self.vocabulary.rows(documents), noises[0][:, :0]
        for stage, noise in enumerate(noises):
            released = np.concatenate([released, self.exact(rows, released, stage) + noise], axis=1)
        return released

    def sample(
        self, documents: Sequence[Document], budget: Budget, bits: Bits, runs: int, *, rigorous: bool
    ) -> Samples:
        """`runs` releases of all that the budget covers, in order of descending noisy number, in lattice units."""
        noises = [  # drawn before any document is looked at
            budget.draw(stage, (runs, size), bits, rigorous=rigorous)
            for stage, size in zip(self.stages, self.sizes, strict=True)
        ]
        noisy = self.noisy(documents, noises)
        order = np.argsort(-noisy, axis=1, kind="stable")
        return Samples(order.astype(np.int32), np.take_along_axis(noisy, order, axis=1) * MASS_UNIT)

    def counts(self, documents: Sequence[Document]) -> list[int]:
        """The numbers without noise; they stay with the curator."""
        silent = [np.zeros((1, size), np.int64) for size in self.sizes]
        return [int(number) for number in self.noisy(documents, silent)[0]]

    def likelihood(self, documents: Sequence[Document], released: Integers, budget: Budget) -> Floats:
        """float64[runs]: log of the density of noisy numbers, int64[runs, cells], up to a constant."""
        rows, found, end = self.vocabulary.rows(documents), np.zeros(len(released)), 0
        for number, (stage, size) in enumerate(zip(self.stages, self.sizes, strict=True)):
            start, end, scale = end, end + size, float(budget.scale(stage))
            off = (released[:, start:end] - self.exact(rows, released[:, :start], number)) / scale
            found -= (off**2 / 2 if budget.delta else np.abs(off)).sum(axis=1)
        return found

    def told(self, released: dict[int, int]) -> list[int]:
        """Entries that describe a cluster that is kept, each once, ascending."""
        return sorted({at for _, entries in self._kept(released) for at in entries})

    def seen(self, released: dict[int, int]) -> dict[str, Any]:
        """What the writer of the summary is given: noisy sizes and keywords of the clusters that are kept."""
        names = self.vocabulary.entries
        return {
            "groups": [
                {"noisy_size": size, "keywords": [names[at] for at in entries]}
                for size, entries in self._kept(released)
            ]
        }

    def text(self, released: dict[int, int]) -> str:
        """Descriptions of the clusters whose noisy size reaches the threshold: a function of released numbers alone."""
        lines = [
            f"A group of about {each['noisy_size']:,}: {', '.join(each['keywords'])}."
            for each in self.seen(released)["groups"]
        ]
        return "\n".join(lines or ["No group is large enough to be described."]) + "\n"

    def _kept(self, released: dict[int, int]) -> Iterator[tuple[int, list[int]]]:
        """Noisy size of every cluster at or above the threshold, and the entries that describe it."""
        clusters, width = len(self.first), len(self.vocabulary.entries)
        sizes = self.rounds * clusters * (width + 1)
        for number in range(clusters):
            size, start = released[sizes + number], sizes + clusters + number * width
            if size >= self.threshold:
                yield size, sorted(range(width), key=lambda at: (-released[start + at], at))[: self.described]

    def _first(self) -> Counts:
        found = np.zeros((len(self.first), len(self.vocabulary.entries)), np.int64)
        for row, entries in zip(found, self.first, strict=True):
            row[list(entries)] = GRID
        return found


def assigned(rows: Counts, centres: Counts) -> npt.NDArray[np.intp]:
    """intp[runs, units]: the nearest centre, the earlier of equals.

    |x - c / G|^2 is |x|^2 plus (|c|^2 - 2 G x.c) / G^2.  All numbers are integers below 2^53, so that products of
    float64 matrices are exact, whatever the order of their sums.
    """
    runs, clusters, width = centres.shape
    inner = rows.astype(np.float64) @ centres.reshape(runs * clusters, width).T.astype(np.float64)
    lengths = (centres.astype(np.float64) ** 2).sum(axis=2)
    return np.asarray((lengths[None] - 2 * GRID * inner.reshape(-1, runs, clusters)).argmin(axis=2).T)


def totals(rows: Counts, nearest: npt.NDArray[np.intp], clusters: int) -> Integers:
    """int64[runs, clusters, entries + 1]: of every cluster, how many of its units count for an entry, and its size."""
    held = (nearest[:, None, :] == np.arange(clusters)[None, :, None]).astype(np.float64)
    counted = held @ np.column_stack([rows, np.ones(len(rows), np.int64)]).astype(np.float64)
    return np.asarray(counted.astype(np.int64))


def centre(noisy: Integers) -> Integers:
    """int64[runs, clusters, entries]: noisy sums over noisy sizes, between 0 and 1, in multiples of 1 / GRID."""
    sums, sizes = np.maximum(noisy[:, :, :-1], 0), np.maximum(noisy[:, :, -1:], 1)
    return np.asarray(np.minimum((2 * GRID * sums + sizes) // (2 * sizes), GRID))


def urania(universe: Universe, clusters: int, threshold: int = 50, rounds: int = 2) -> Urania:
    """The baseline for a universe: first centres are the words of its first labels, which are public."""
    vocabulary = keywords(universe)
    at = {word: index for index, word in enumerate(vocabulary.entries)}
    first = tuple(tuple(at[word] for word in terms(label) if word in at) for label in universe.labels[:clusters])
    return Urania(vocabulary, first, rounds, threshold)
