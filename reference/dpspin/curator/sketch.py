"""From records to the exact sketch, one record at a time, through the kernel (paper sections 3.3 and 4.1)."""

from collections.abc import Iterable

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT
from dpspin.deployment import Deployment
from dpspin.errors import ImpossibleError


def contribution(scores: list[int], deployment: Deployment) -> list[int]:
    """Clip_B(phi(x)) of one record in lattice units, from its integer scores (Eq. 1): a unit with this record alone."""
    return kernel.clip(_share(scores, deployment, len(scores)), bound(deployment))


def sketch(scores: Iterable[list[int]], deployment: Deployment, universe_size: int) -> list[int]:
    """The exact total of all records' contributions, in lattice units; memory does not grow with their number.

    Raises:
        ImpossibleError: when a score is not an integer, or a record has not one for every atom.
    """
    total = [0] * universe_size
    for row in scores:
        total = kernel.absorb(total, _share(row, deployment, universe_size), bound(deployment))
    return total


def user_sketch(scores: Iterable[tuple[str, list[int]]], deployment: Deployment, universe_size: int) -> list[int]:
    """The exact total of all users' aggregates, each clipped to B, in lattice units (`kernel.user_sketch`, streamed).

    Args:
        scores: (unit, scores) of every record, in any order.
        deployment: K and B.
        universe_size: m.

    Memory grows with the number of units, not of records.

    Raises:
        ImpossibleError: as `sketch`.
    """
    aggregates: dict[str, list[int]] = {}
    for unit, row in scores:
        share = _share(row, deployment, universe_size)
        held = aggregates.get(unit)
        aggregates[unit] = share if held is None else kernel.add([held, share], universe_size)
    total = [0] * universe_size
    for aggregate in aggregates.values():
        total = kernel.absorb(total, aggregate, bound(deployment))
    return total


def bound(deployment: Deployment) -> int:
    """B in lattice units, rounded down."""
    return int(deployment.mass_bound * MASS_UNIT)


def _share(scores: list[int], deployment: Deployment, universe_size: int) -> list[int]:
    """phi(x); the kernel's theorems are about integers, so anything else stops here (float and numpy sums differ)."""
    if len(scores) != universe_size:
        raise ImpossibleError("a record has another number of scores than there are atoms")
    if not all(type(score) is int for score in scores):
        raise ImpossibleError("a score is not an integer")
    return kernel.contribution(scores, deployment.assignment.max_atoms, MASS_UNIT)
