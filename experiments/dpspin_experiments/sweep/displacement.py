"""What picking exactly n units does to the sensitivity (spec.md section 8, row 1; paper section C.6).

The paper picks the n units of the lowest keyed hash.  If one of them had not been there, another would have been
picked: the sketch then moves by what one unit leaves and by what the other brings.  Here each unit is kept by its own
hash.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dpspin.adjacency import MASS_UNIT
from dpspin.corpus.split import belongs
from dpspin.settings import Exact
from dpspin_experiments.assignment.batch import Shares, sketch

KEY = "selection-0000"
DROPPED = 20
"""Units that are dropped, one at a time."""


class Displacement(NamedTuple):
    """The farthest that the sketch moved when one unit was dropped, in units of mass (l1); curator only."""

    fixed: float
    """With the half of the units that has the lowest hashes, as many as there are."""
    hashed: float
    """With each unit kept by its own hash at a rate of one half."""
    bound: float
    """What add/drop allows, B."""


def displacement(shares: Shares, units: Sequence[str], bound: Exact) -> Displacement:
    """Drop some units of a corpus in turn, and pick anew each time.

    Args:
        shares: contribution of every unit, one a row.
        units: their names.
        bound: B.
    """
    size, limit = len(units) // 2, int(bound * MASS_UNIT)
    order = sorted(range(len(units)), key=lambda row: hashlib.sha256(f"{KEY} {units[row]}".encode()).digest())
    kept = [row for row in range(len(units)) if belongs(KEY, Exact("1/2"), units[row])]
    fixed = [_moved(shares, order[:size], [*order[:at], *order[at + 1 : size + 1]], limit) for at in range(_some(size))]
    hashed = [_moved(shares, kept, [*kept[:at], *kept[at + 1 :]], limit) for at in range(_some(len(kept)))]
    return Displacement(max(fixed, default=0.0), max(hashed, default=0.0), float(bound))


def _some(count: int) -> int:
    return min(DROPPED, count)


def _moved(shares: Shares, before: Sequence[int], after: Sequence[int], limit: int) -> float:
    one, other = (np.array(sketch(shares[list(rows)], limit), np.int64) for rows in (before, after))
    return float(np.abs(one - other).sum()) / MASS_UNIT
