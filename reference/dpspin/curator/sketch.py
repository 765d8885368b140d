"""From records to the exact sketch, one record at a time, through the kernel (paper sections 3.3 and 4.1)."""

from array import array
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
    total, most = [0] * universe_size, bound(deployment)
    for row in scores:
        total = kernel.absorb(total, _share(row, deployment, universe_size), most)
    return total


def user_sketch(scores: Iterable[tuple[str, list[int]]], deployment: Deployment, universe_size: int) -> list[int]:
    """The exact total of all users' aggregates, each clipped to B, in lattice units (`kernel.user_sketch`, streamed).

    Args:
        scores: (unit, scores) of every record, in any order.
        deployment: K and B.
        universe_size: m.

    Memory grows with the number of units, not of records: some 250 bytes for a unit with few atoms.

    Raises:
        ImpossibleError: as `sketch`.
    """
    aggregates: dict[str, array[int]] = {}
    for unit, row in scores:
        share = _share(row, deployment, universe_size)
        held = aggregates.get(unit)
        both = share if held is None else kernel.add([_unpacked(held, universe_size), share], universe_size)
        aggregates[unit] = _packed(both)
    total, most = [0] * universe_size, bound(deployment)
    for aggregate in aggregates.values():
        total = kernel.absorb(total, _unpacked(aggregate, universe_size), most)
    return total


def bound(deployment: Deployment) -> int:
    """B in lattice units, rounded down."""
    return int(deployment.mass_bound * MASS_UNIT)


def _share(scores: list[int], deployment: Deployment, universe_size: int) -> list[int]:
    """phi(x); the kernel's theorems are about integers, so anything else stops here (float and numpy sums differ)."""
    if len(scores) != universe_size:
        raise ImpossibleError("a record has another number of scores than there are atoms")
    if set(map(type, scores)) - {int}:
        raise ImpossibleError("a score is not an integer")
    return kernel.contribution(scores, deployment.assignment.max_atoms, MASS_UNIT)


def _packed(vector: list[int]) -> "array[int]":
    """Atom and mass of every entry other than zero, one after the other, in 64 bits: enough for 2^43 records."""
    return array("q", [number for atom, mass in enumerate(vector) if mass for number in (atom, mass)])


def _unpacked(packed: "array[int]", width: int) -> list[int]:
    """The vector that was packed."""
    vector = [0] * width
    for atom, mass in zip(packed[::2], packed[1::2], strict=True):
        vector[atom] = mass
    return vector
