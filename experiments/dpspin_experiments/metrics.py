"""Utility of released plans against the exact sketch (paper appendices B.2 and B.3; spec.md section 6).

Every function here takes the exact sketch: its results are non-private, for the curator alone, and stand in no bundle.
Masses in results are in units of mass.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT
from dpspin.curator.full_sketch import Samples

AUDIENCE = "curator only: computed from the exact sketch, NON-PRIVATE"

Integers = npt.NDArray[np.int64]


class PlanUtility(NamedTuple):
    """What one plan kept of the exact top L."""

    overlap: float
    """|S and S*| / L."""
    retained: float | None
    """M(S) / M(S*); None where M(S*) = 0."""
    loss: float
    """M(S*) - M(S)."""


class ValueErrors(NamedTuple):
    """Norms of released masses minus exact ones, before any clipping or rounding for display."""

    largest: float
    total: float
    euclidean: float


def plan_utility(sketch: Sequence[int], admitted: Sequence[int], plan_size: int) -> PlanUtility:
    """The three measures of B.2.

    Args:
        sketch: exact mass of every atom, lattice units.
        admitted: atoms of the plan.
        plan_size: L; where the universe is smaller, all atoms are the top.
    """
    best = kernel.highest(list(sketch), plan_size)
    most, kept = (sum(sketch[atom] for atom in atoms) for atoms in (best, admitted))
    overlap = len(set(best) & set(admitted)) / len(best)
    return PlanUtility(overlap, kept / most if most else None, (most - kept) / MASS_UNIT)


def full_errors(noise: Sequence[int]) -> ValueErrors:
    """Errors on all m atoms, for mechanisms on the full sketch: the noise itself, before top L (B.3)."""
    return _norms(np.asarray(noise, np.float64))


def selected_errors(sketch: Sequence[int], admitted: Sequence[int], masses: Sequence[int]) -> ValueErrors:
    """Errors on admitted atoms alone, for sparse admission, which releases nothing of the others (B.3)."""
    return _norms(np.array([mass - sketch[atom] for atom, mass in zip(admitted, masses, strict=True)], np.float64))


def boundary_gap(sketch: Sequence[int], plan_size: int) -> float:
    """Gamma_L = C_(L) - C_(L+1), the margin around the boundary of the exact top L; 0 where every atom is in it."""
    ordered = sorted(sketch, reverse=True)
    return (ordered[plan_size - 1] - ordered[plan_size]) / MASS_UNIT if plan_size < len(ordered) else 0.0


def losses(sketch: Sequence[int], samples: Samples, plan_size: int) -> npt.NDArray[np.float64]:
    """Loss_L of many plans, float64[runs], exact below 2^53 lattice units."""
    exact = np.asarray(sketch, np.int64)
    best = exact[kernel.highest(list(sketch), plan_size)].sum()
    lost: npt.NDArray[np.float64] = (best - exact[samples.atoms].sum(axis=1)) / MASS_UNIT
    return lost


def _norms(errors: npt.NDArray[np.float64]) -> ValueErrors:
    apart = np.abs(errors) / MASS_UNIT
    return ValueErrors(float(apart.max(initial=0)), float(apart.sum()), float(np.sqrt((apart**2).sum())))
