"""What the rules look at: the probed atoms of released plans, as numbers.

The ideal verdict must not see low-order bits, and the bit-level verdict looks at nothing else that is fine: masses are
rounded to a 1024th of the noise scale for the former, and reduced to the position of their lowest set bit and a coarse
size for the latter.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin_audits.draws import Draws

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

FINEST = 1024
"""Steps per noise scale that the ideal verdict can tell apart."""
LOWEST_BIT, HIGHEST_BIT = -64, 8
"""Exponents of the lowest set bit outside this range count as its ends."""
NO_BIT = HIGHEST_BIT + 1 - LOWEST_BIT
"""Position code of an atom that was not admitted."""


class Seen(NamedTuple):
    """The probed atoms in many released plans."""

    mass: Floats
    """float64[runs, probes] in units of mass: the released mass, or the lowest one of the plan if not admitted."""
    admitted: npt.NDArray[np.bool_]
    """bool[runs, probes]."""
    order: Integers
    """int64[runs, probes]: position in the plan, L if not admitted."""
    released: npt.NDArray[np.bool_]
    """bool[runs]: whether the run gave a plan with any atom; False for a crash."""
    plans: Integers
    """int64[runs, L]: all admitted atoms, -1 where there are fewer."""


def see(draws: Draws, atoms: Sequence[int], step: float | None = None) -> Seen:
    """Look up probed atoms in every plan.

    Args:
        draws: released plans.
        atoms: indices of the probed atoms.
        step: round masses to multiples of this (units of mass); None keeps every bit.
    """
    masses = draws.masses if step is None else np.round(draws.masses / step) * step
    present = draws.atoms >= 0
    released = np.asarray(present.any(axis=1))
    lowest = np.where(released, np.min(masses, axis=1, initial=np.inf, where=present), 0.0)
    hits = draws.atoms[:, None, :] == np.asarray(atoms)[None, :, None]
    admitted = hits.any(axis=2)
    found = np.where(hits, masses[:, None, :], 0.0).sum(axis=2)
    order = np.where(admitted, hits.argmax(axis=2), draws.atoms.shape[1])
    return Seen(np.where(admitted, found, lowest[:, None]), admitted, order, released, draws.atoms)


def plan_features(seen: Seen, centre: Floats, scale: float) -> Floats:
    """float64[runs, 4 probes + 1]: mass, mass within one scale of the centre, admitted, order; and whether it crashed.

    Args:
        seen: probed atoms.
        centre: float64[probes], typical masses on training runs.
        scale: noise scale, in units of mass.
    """
    offset = (seen.mass - centre) / scale
    crash = ~seen.released[:, None]
    return np.concatenate([offset, np.clip(offset, -1, 1), seen.admitted, seen.order, crash], axis=1, dtype=np.float64)


def lowest_bit(values: Floats) -> Integers:
    """Exponent of the lowest set bit of each float64, clipped; 0 has the highest code."""
    mantissa, exponent = np.frexp(values)
    digits = (np.abs(mantissa) * 2.0**53).astype(np.int64)
    lowest = np.frexp((digits & -digits).astype(np.float64))[1] - 1
    position = np.where(digits == 0, HIGHEST_BIT, lowest + exponent - 53)
    return np.clip(position, LOWEST_BIT, HIGHEST_BIT).astype(np.int64)


def bit_cells(seen: Seen, edges: Floats) -> Integers:
    """int64[runs, probes]: lowest set bit crossed with a coarse size.

    Args:
        seen: probed atoms, unrounded.
        edges: float64[edges, probes], ascending masses between sizes.
    """
    position = np.where(seen.admitted, lowest_bit(seen.mass) - LOWEST_BIT, NO_BIT)
    size = (seen.mass[:, None, :] >= edges[None, :, :]).sum(axis=1)
    return np.asarray(position * (len(edges) + 1) + size)


def bit_cell_count(edges: Floats) -> int:
    """How many cells `bit_cells` can give."""
    return (NO_BIT + 1) * (len(edges) + 1)
