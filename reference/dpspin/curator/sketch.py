"""From records to the exact sketch, one record at a time, through the kernel (paper sections 3.3 and 4.1)."""

from collections.abc import Iterable

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT
from dpspin.deployment import Deployment


def contribution(scores: list[int], deployment: Deployment) -> list[int]:
    """Clip_B(phi(x)) of one record in lattice units, from its integer scores (Eq. 1)."""
    share = kernel.contribution(scores, deployment.assignment.max_atoms, MASS_UNIT)
    return kernel.clip(share, int(deployment.mass_bound * MASS_UNIT))


def sketch(scores: Iterable[list[int]], deployment: Deployment, universe_size: int) -> list[int]:
    """The exact total of all records' contributions, in lattice units; memory does not grow with their number."""
    total = [0] * universe_size
    for row in scores:
        unit = kernel.contribution(row, deployment.assignment.max_atoms, MASS_UNIT)
        total = kernel.absorb(total, unit, int(deployment.mass_bound * MASS_UNIT))
    return total
