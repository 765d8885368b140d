"""From records to the exact sketch, one record at a time, through the kernel (paper sections 3.3 and 4.1)."""

from collections.abc import Iterable

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT
from dpspin.deployment import Deployment
from dpspin.errors import ImpossibleError


def contribution(scores: list[int], deployment: Deployment) -> list[int]:
    """Clip_B(phi(x)) of one record in lattice units, from its integer scores (Eq. 1)."""
    return kernel.clip(_share(scores, deployment), int(deployment.mass_bound * MASS_UNIT))


def sketch(scores: Iterable[list[int]], deployment: Deployment, universe_size: int) -> list[int]:
    """The exact total of all records' contributions, in lattice units; memory does not grow with their number.

    Raises:
        ImpossibleError: when a score is not an integer, or a record has not one for every atom.
    """
    total = [0] * universe_size
    for row in scores:
        if len(row) != universe_size:
            raise ImpossibleError("a record has another number of scores than there are atoms")
        total = kernel.absorb(total, _share(row, deployment), int(deployment.mass_bound * MASS_UNIT))
    return total


def _share(scores: list[int], deployment: Deployment) -> list[int]:
    """phi(x); the kernel's theorems are about integers, so anything else stops here (float and numpy sums differ)."""
    if not all(type(score) is int for score in scores):
        raise ImpossibleError("a score is not an integer")
    return kernel.contribution(scores, deployment.assignment.max_atoms, MASS_UNIT)
