"""Non-private clusters of texts, those below a least size dropped, and the terms that describe each.

Spherical k-means (Dhillon and Modha 2001) on sets of terms.  Rows and centres are unit vectors in multiples of
1 / GRID, so that all inner products are exact integers: the same stream gives the same clusters on every machine.
No guarantee comes with it, whatever the least size: docs/trust-models.md and `dpspin experiment attack` say why.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from dpspin.corpus.representation import terms

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]

GRID = 1024
SHORTEST = 4
COMMON = 0.3
"""Terms in a larger share of texts say nothing about a cluster."""
ROUNDS = 5


class Shape(NamedTuple):
    """How clusters are made and described."""

    clusters: int
    smallest: int
    """Clusters with fewer texts are dropped: k of k-anonymity."""
    shown: int
    """Terms of a description."""


class TermTable(NamedTuple):
    """Which term stands in which text."""

    terms: tuple[str, ...]
    held: Floats
    """float64[texts, terms], 0 or 1."""


class Described(NamedTuple):
    """One cluster that is large enough."""

    size: int
    terms: tuple[int, ...]
    """The most telling first."""


def table(texts: Sequence[str]) -> TermTable:
    """The terms of texts, in alphabetical order."""
    sets = [{term for term in terms(text) if len(term) >= SHORTEST} for text in texts]
    names = tuple(sorted(set().union(*sets)))
    at = {name: index for index, name in enumerate(names)}
    held = np.zeros((len(texts), len(names)))
    for row, found in zip(held, sets, strict=True):
        row[[at[term] for term in found]] = 1
    return TermTable(names, held)


def directions(held: Floats, common: npt.NDArray[np.bool_]) -> Any:
    """Unit vectors of texts without common terms, sparse int64[texts, terms]; zero where a text has no other term."""
    return csr_array(_rounded(held * ~common))


def clusters(rows: Any, shape: Shape, stream: np.random.Generator) -> Integers:
    """intp[texts]: the cluster of every row; first centres are spread out (Arthur and Vassilvitskii 2007)."""
    centres = _spread(rows, shape.clusters, stream)
    for _ in range(ROUNDS):
        nearest = np.argmax(rows @ centres.T, axis=1)
        members = csr_array(nearest == np.arange(shape.clusters)[:, None], dtype=np.int64)
        sums = (members @ rows).toarray()
        centres = np.where(sums.any(axis=1, keepdims=True), _rounded(sums), centres)
    return np.asarray(np.argmax(rows @ centres.T, axis=1))


def described(held: Floats, nearest: Integers, shape: Shape) -> list[Described]:
    """Every cluster that is large enough, with the terms that tell it from the rest.

    A term weighs its count in the cluster times the cluster's share of all texts with the term.
    """
    everywhere, found = held.sum(axis=0), []
    for number in range(shape.clusters):
        inside = held[nearest == number]
        if len(inside) >= shape.smallest:
            count = inside.sum(axis=0)
            weight = count * count / np.maximum(everywhere, 1)
            order = np.argsort(-weight, kind="stable")[: shape.shown]
            found.append(Described(len(inside), tuple(int(at) for at in order if weight[at] > 0)))
    return found


def _rounded(rows: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    return np.asarray(np.rint(GRID * rows / np.maximum(lengths, 1)), np.int64)


def _spread(rows: Any, count: int, stream: np.random.Generator) -> npt.NDArray[np.int64]:
    """Rows, each drawn with probability proportional to its squared distance from the nearest one before."""
    lengths, chosen = (rows * rows).sum(axis=1), [int(stream.integers(rows.shape[0]))]
    nearest = np.full(rows.shape[0], np.iinfo(np.int64).max)
    for _ in range(count - 1):
        last = rows[[chosen[-1]]].toarray()[0]
        nearest = np.minimum(nearest, lengths - 2 * (rows @ last) + lengths[chosen[-1]])
        cumulative = np.cumsum(nearest)
        if cumulative[-1] <= 0:
            break
        chosen.append(int(np.searchsorted(cumulative, stream.integers(cumulative[-1]), side="right")))
    return np.asarray(rows[chosen + chosen[:1] * (count - len(chosen))].toarray())
