"""What the rules look at: the probed atoms of released plans, as numbers.

The ideal verdict must not see low-order bits, and the bit-level verdict looks at nothing else that is fine: masses are
rounded to a 1024th of the noise scale for the former, and reduced to the position of their lowest set bit and a coarse
size for the latter.
"""

from collections.abc import Iterator, Sequence
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
ROWS = 2**17
"""Runs that are looked at together, so that memory follows from results and not from what they are computed from."""
NEIGHBOURS = (-2, -1, 0, 1, 2)
"""Multiples of 2^-53 that are tried around the nearest one."""


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


class Grid(NamedTuple):
    """How low-order bits are looked at."""

    edges: Floats
    """float64[edges, probes], ascending masses between coarse sizes."""
    centres: tuple[Floats, ...] = ()
    """float64[probes] each: exact masses to which noise may have been added, in units of mass."""
    scale: float = 1.0
    """Scale of Laplace noise in units of mass."""


def see(draws: Draws, atoms: Sequence[int], step: float | None = None) -> Seen:
    """Look up probed atoms in every plan.

    Args:
        draws: released plans.
        atoms: indices of the probed atoms.
        step: round masses to multiples of this (units of mass); None keeps every bit.
    """
    starts = range(0, max(1, len(draws.atoms)), ROWS)
    parts = [_see(draws.part(start, start + ROWS), atoms, step) for start in starts]
    if len(parts) == 1:
        return parts[0]
    return Seen(
        np.concatenate([part.mass for part in parts]),
        np.concatenate([part.admitted for part in parts]),
        np.concatenate([part.order for part in parts]),
        np.concatenate([part.released for part in parts]),
        np.concatenate([part.plans for part in parts]),
    )


def rows(seen: Seen) -> Iterator[Seen]:
    """The same runs in parts of ROWS."""
    for start in range(0, max(1, len(seen.mass)), ROWS):
        part = slice(start, start + ROWS)
        yield Seen(seen.mass[part], seen.admitted[part], seen.order[part], seen.released[part], seen.plans[part])


def _see(draws: Draws, atoms: Sequence[int], step: float | None) -> Seen:
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
    """float64[runs, 4 probes + 2]: mass, mass within one scale of the centre, admitted, order; how many atoms; crashed.

    Args:
        seen: probed atoms.
        centre: float64[probes], typical masses on training runs.
        scale: noise scale, in units of mass.
    """
    offset = (seen.mass - centre) / scale
    whole = (seen.plans >= 0).sum(axis=1)[:, None], ~seen.released[:, None]
    return np.concatenate([offset, np.clip(offset, -1, 1), seen.admitted, seen.order, *whole], axis=1, dtype=np.float64)


def lowest_bit(values: Floats) -> Integers:
    """Exponent of the lowest set bit of each float64, clipped; 0 has the highest code."""
    mantissa, exponent = np.frexp(values)
    digits = (np.abs(mantissa) * 2.0**53).astype(np.int64)
    lowest = np.frexp((digits & -digits).astype(np.float64))[1] - 1
    position = np.where(digits == 0, HIGHEST_BIT, lowest + exponent - 53)
    return np.clip(position, LOWEST_BIT, HIGHEST_BIT).astype(np.int64)


def drawn(values: Floats, centre: Floats | float, scale: float) -> npt.NDArray[np.bool_]:
    """Whether the textbook sampler in doubles gives these masses: centre +- scale * log(v), v a multiple of 2^-53.

    Most doubles are out of its reach, and which ones depends on the centre (Mironov 2012).  Logarithms of different
    libraries differ in the last place at times; a miss for this reason is as likely around every centre.
    """
    nearest = np.round(np.exp(-np.abs(values - centre) / scale) * 2.0**53)
    found = np.zeros(np.shape(values), np.bool_)
    for step in NEIGHBOURS:
        draw = -scale * np.log(np.maximum(nearest + step, 1.0) / 2.0**53)
        found |= values == centre + np.copysign(draw, values - centre)
    return found


def bit_cells(seen: Seen, grid: Grid) -> Integers:
    """int64[runs, probes]: lowest set bit, coarse size, and what the textbook sampler can give around either mass.

    Args:
        seen: probed atoms, unrounded.
        grid: how to look at them.
    """
    position = np.where(seen.admitted, lowest_bit(seen.mass) - LOWEST_BIT, NO_BIT)
    size = (seen.mass[:, None, :] >= grid.edges[None, :, :]).sum(axis=1)
    cells = position * (len(grid.edges) + 1) + size
    for centre in grid.centres:
        cells = 2 * cells + (seen.admitted & drawn(seen.mass, centre, grid.scale))
    return np.asarray(cells)


def bit_cell_count(grid: Grid) -> int:
    """How many cells `bit_cells` can give."""
    kinds: int = 2 ** len(grid.centres)
    return (NO_BIT + 1) * (len(grid.edges) + 1) * kinds
