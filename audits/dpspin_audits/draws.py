"""Released plans as arrays: what sampling gives and statistics read."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin.adjacency import MASS_UNIT
from dpspin.errors import SubjectError

EXACT_IN_DOUBLES = 2.0**53


class Draws(NamedTuple):
    """Released plans, one a row, in order of descending mass."""

    atoms: npt.NDArray[np.int64]
    """int[runs, L]; -1 where a plan has fewer atoms, and in the whole row of a run that gave no plan."""
    masses: npt.NDArray[np.float64]
    """float64[runs, L] in units of mass, every bit as the subject gave it (lattice integers convert exactly)."""

    def part(self, start: int, stop: int | None) -> "Draws":
        """Some of the rows."""
        return Draws(self.atoms[start:stop], self.masses[start:stop])

    def wide(self, width: int) -> "Draws":
        """The same plans in rows of this width: how many atoms a plan has is itself seen, never an error."""
        empty = ((0, 0), (0, width - self.atoms.shape[1]))
        return Draws(np.pad(self.atoms, empty, constant_values=-1), np.pad(self.masses, empty))


def joined(parts: Sequence[Draws]) -> Draws:
    """Plans of several calls, one after the other; rows are as wide as the widest."""
    width = max(part.atoms.shape[1] for part in parts)
    wide = [part.wide(width) for part in parts]
    return Draws(np.concatenate([part.atoms for part in wide]), np.concatenate([part.masses for part in wide]))


def draws_of(samples: Any, runs: int, who: str) -> Draws:
    """Check what `sample` returned and bring masses to units of mass.

    A row with a mass that is not finite is kept as a run that gave no plan: an output symbol of its own.

    Raises:
        SubjectError: naming `who`, when shapes or types are not those of the protocol.
    """
    atoms, masses = (np.asarray(getattr(samples, field, None)) for field in ("atoms", "masses"))
    if atoms.ndim != 2 or atoms.shape != masses.shape or len(atoms) != runs or atoms.shape[1] == 0:
        raise SubjectError(who, f"sample returned shapes {atoms.shape} and {masses.shape}, not ({runs}, L) twice")
    if atoms.dtype.kind not in "iu" or masses.dtype.kind not in "iuf" or masses.dtype.itemsize > 8:
        raise SubjectError(who, f"sample returned {atoms.dtype} atoms and {masses.dtype} masses")
    units = masses.astype(np.float64)
    if masses.dtype.kind != "f":
        if (np.abs(units) >= EXACT_IN_DOUBLES).any():
            raise SubjectError(who, "sample returned a mass of 2^53 lattice units or more")
        units = units / MASS_UNIT
    whole = np.isfinite(units).all(axis=1, keepdims=True)
    return Draws(np.where(whole, atoms.astype(np.int64), -1), np.where(whole, units, 0.0))
