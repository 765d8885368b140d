"""How near an assignment comes to true labels, where a source has them (spec.md section 6; not in the paper).

The paper's metrics compare a plan with the exact sketch.  Whether the sketch speaks of what people wrote about, they
cannot see; on real complaints the assignment errs more than the noise does.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT
from dpspin_experiments.assignment.batch import Shares

TOP = 10


@dataclass(frozen=True, slots=True)
class Fidelity:
    """Shares of atoms in a sketch against shares of labels; curator only."""

    labelled: int
    """Records with a label."""
    covered: int
    """Those whose label is an atom."""
    top_one: float
    """Of the covered records, the share whose heaviest atom is their label."""
    variation_covered: float
    """Total variation between mass and labels, over covered records."""
    variation: float
    """The same over all labelled records, with what is no atom (or got no mass) as one further share, "other"."""
    top_overlap: float
    """Of the ten atoms of most mass, the share that is among the ten most frequent labels."""


def fidelity(shares: Shares, labels: Sequence[str | None], universe: Sequence[str]) -> Fidelity | None:
    """Compare contributions with labels; None where no record's label is an atom.

    Args:
        shares: contribution of every record, one a row.
        labels: label of every record.
        universe: label of every atom.
    """
    place = {label: atom for atom, label in enumerate(universe)}
    labelled = [row for row, label in enumerate(labels) if label is not None]
    covered = [row for row in labelled if labels[row] in place]
    if not covered:
        return None
    truth = Counter(place.get(labels[row] or "", len(universe)) for row in labelled)
    counts = [truth[atom] for atom in range(len(universe))]
    mass = _masses(shares, labelled)
    heaviest = shares[covered].argmax(axis=1)
    hits = sum(int(atom) == place[labels[row] or ""] for row, atom in zip(covered, heaviest, strict=True))
    top = min(TOP, len(universe))
    best = set(kernel.highest(mass, top)) & set(kernel.highest(counts, top))
    other = len(labelled) * MASS_UNIT - sum(mass)
    return Fidelity(
        len(labelled),
        len(covered),
        hits / len(covered),
        _variation(_masses(shares, covered), counts),
        _variation([*mass, other], [*counts, truth[len(universe)]]),
        len(best) / top,
    )


def _masses(shares: Shares, rows: Sequence[int]) -> list[int]:
    return [int(mass) for mass in np.asarray(shares[rows].sum(axis=0)).ravel()]


def _variation(one: Sequence[int], other: Sequence[int]) -> float:
    """Half the sum of absolute differences of shares; 1 where one of the two is nothing."""
    if not sum(one) or not sum(other):
        return 1.0
    return sum(abs(a / sum(one) - b / sum(other)) for a, b in zip(one, other, strict=True)) / 2
