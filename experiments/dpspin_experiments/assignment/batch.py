"""Scores and contributions of many records at once, in 64-bit integers: the numbers of the kernel, bit for bit.

Integer sums do not depend on the size or the order of a batch, so that what is local one record at a time stays local.
Wherever an intermediate value might pass 2^62 the kernel itself computes the row.  A release never uses this module.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus.representation import DAMPED, TERM, Weights

Integers = npt.NDArray[np.int64]
Shares: TypeAlias = Any
"""scipy.sparse.csr_array, int64: contributions in lattice units, one record or unit a row, one atom a column."""

ROWS_AT_ONCE = 4096
LIMIT = 2**62
_DAMPED = np.array(DAMPED, np.int64)


class Assigner:
    """The assignment map phi over a universe, for batches."""

    def __init__(self, weights: Weights, max_atoms: int) -> None:
        """Prepare the weights of all terms as one sparse matrix; K atoms are kept of a record."""
        self._weights, self._max_atoms = weights, max_atoms
        self._place = {term: number for number, term in enumerate(weights.rows, 1)}  # 0 is no term
        cells = [(number, atom, n) for number, row in enumerate(weights.rows.values(), 1) for atom, n in row]
        most = DAMPED[-1] * sum(n for _, _, n in cells)
        self._by_kernel = most >= LIMIT
        rows, atoms, values = zip(*cells, strict=True) if cells and not self._by_kernel else ((), (), ())
        shape = len(weights.rows) + 1, weights.atoms
        placed = np.array(rows, np.int64), np.array(atoms, np.int64)
        self._matrix = sparse.csr_array((np.array(values, np.int64), placed), shape)

    def scores(self, texts: Sequence[str | None]) -> Integers:
        """int64[texts, atoms], as `Weights.scores` gives them."""
        if self._by_kernel:
            return np.array([self._weights.scores(text) for text in texts], np.int64).reshape(len(texts), -1)
        find, get = TERM.findall, self._place.get
        places: list[int] = []
        ends = [0]
        for text in texts:
            places.extend(filter(None, map(get, find((text or "").casefold()))))
            ends.append(len(places))
        shape = len(texts), self._matrix.shape[0]
        counts = sparse.csr_array((np.ones(len(places), np.int64), np.array(places, np.int64), ends), shape)
        counts.sum_duplicates()
        counts.data = _DAMPED[np.minimum(counts.data, len(DAMPED) - 1)]
        dense: Integers = (counts @ self._matrix).toarray()
        return dense

    def shares(self, texts: Iterable[str | None]) -> Shares:
        """The contribution of every record, one a row; memory holds K numbers a record and one batch of scores."""
        stream, parts = iter(texts), []
        while batch := list(islice(stream, ROWS_AT_ONCE)):
            if self._by_kernel:
                parts.append(self._kernel_shares(batch))
            else:
                parts.append(contributions(self.scores(batch), self._max_atoms))
        return sparse.vstack(parts, "csr") if parts else sparse.csr_array((0, self._weights.atoms), dtype=np.int64)

    def _kernel_shares(self, texts: Sequence[str | None]) -> Shares:
        rows = [kernel.contribution(self._weights.scores(text), self._max_atoms, MASS_UNIT) for text in texts]
        return sparse.csr_array(np.array(rows, np.int64).reshape(len(rows), -1))


def contributions(scores: Integers, max_atoms: int) -> Shares:
    """`kernel.contribution` of every row of scores, int64[records, atoms].

    The highest score is taken K times; the first of equal ones wins, as in the kernel.
    """
    left, row = np.maximum(scores, 0), np.arange(len(scores))
    picked = min(max_atoms, scores.shape[1])
    atoms = np.empty((len(scores), picked), np.int64)
    for place in range(picked):
        atoms[:, place] = left.argmax(axis=1)
        left[row, atoms[:, place]] = -1
    values = np.maximum(np.take_along_axis(scores, atoms, axis=1), 0)
    bounded = _shrunk(values, MASS_UNIT)
    cells = np.repeat(row, picked), atoms.ravel()
    shares: Shares = sparse.coo_array((bounded.ravel(), cells), scores.shape).tocsr()
    shares.eliminate_zeros()
    return shares


def sketch(shares: Shares, bound: int) -> list[int]:
    """`kernel.sketch` of units: every row clipped to a bound in lattice units, then summed.

    Args:
        shares: unclipped totals, one unit a row.
        bound: B.
    """
    totals = np.repeat(shares.sum(axis=1), np.diff(shares.indptr))
    over = totals > bound
    masses = shares.data.copy()
    if int(masses.max(initial=0)) * bound < LIMIT:
        masses[over] = masses[over] * bound // totals[over]
    else:
        masses[over] = [int(v) * bound // int(t) for v, t in zip(masses[over], totals[over], strict=True)]
    total = np.zeros(shares.shape[1], np.int64)
    np.add.at(total, shares.indices, masses)
    return [int(mass) for mass in total]


def by_unit(shares: Shares, units: Sequence[str]) -> Shares:
    """The total of every unit's records (`kernel.group_by_user`), one unit a row in order of first appearance.

    Args:
        shares: one record a row.
        units: the unit of every record.
    """
    places: dict[str, int] = {}
    owner = [places.setdefault(unit, len(places)) for unit in units]
    shape = len(places), len(units)
    belongs = sparse.csr_array((np.ones(len(units), np.int64), (owner, np.arange(len(units)))), shape)
    totals: Shares = (belongs @ shares).tocsr()
    return totals


def _shrunk(values: Integers, bound: int) -> Integers:
    """`kernel.shrink` of every row; by Python's integers where a product would not fit."""
    if int(values.max(initial=0)) * bound < LIMIT:
        shrunk: Integers = values * bound // np.maximum(values.sum(axis=1, keepdims=True), 1)
        return shrunk
    return np.array([kernel.shrink(row, bound) for row in values.tolist()], np.int64).reshape(values.shape)
