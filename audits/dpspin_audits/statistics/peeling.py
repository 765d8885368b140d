"""The white-box score of admission by peeling, then values: what the released set and masses say under the claim.

The order of admission is not released, so the likelihood of a set S is a sum over all orders.  It is also an integral.
Let T_j be independent exponential times of rate w_j = exp(eta C_j).  The first L to ring, in their order, are L rounds
of peeling (Plackett and Luce), so S is admitted if all its clocks ring before the first other one, whose rate is the
sum R of the other weights:  P(S) = integral over t > 0 of e^-t product over S of (1 - exp(-t w_j / R)).
With t = e^y the integrand falls off doubly exponentially on one side and exponentially on the other, where the
trapezoidal rule converges geometrically.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpspin_audits.statistics.features import Seen
from dpspin_audits.statistics.laws import Law

Floats = npt.NDArray[np.float64]

STEP = 0.4
NODES = np.exp(np.arange(-16, 5, STEP))
"""Values of t; the integrand's share beyond them is below 1e-6."""
WEIGHTS = NODES * np.exp(-NODES) * STEP
LARGEST = 600.0
"""Log-weights are cut off here."""
BLOCK = 4096
"""Admitted sets evaluated at once."""


@dataclass(frozen=True, slots=True)
class PeelingScore:
    """log P(set and values | with) - log P(set and values | without)."""

    before: Sequence[float]
    """Exact masses of all atoms without the unit, in units of mass."""
    after: Sequence[float]
    """The same with the unit."""
    atoms: Sequence[int]
    """Probed atoms, the only ones whose masses differ."""
    exponent: float
    """eta, per unit of mass."""
    law: Law
    """Noise of the values."""

    def __call__(self, seen: Seen) -> Floats:
        """Scores, float64[runs]; zero for a run that released nothing."""
        old, new = (seen.mass - np.asarray(masses)[list(self.atoms)] for masses in (self.before, self.after))
        values = np.where(seen.admitted, self.law.log_density(new) - self.law.log_density(old), 0.0).sum(axis=1)
        return np.asarray((values + self._admission(seen.plans)) * seen.released)

    def _admission(self, plans: npt.NDArray[np.int64]) -> Floats:
        """The set's part; atoms of equal mass before and after stand for one another, so few sets are evaluated."""
        both = np.array([self.before, self.after])
        kinds, kind_of = np.unique(both, axis=1, return_inverse=True)
        sets = np.sort(np.where(plans >= 0, kind_of.reshape(-1)[plans], -1), axis=1)
        distinct, which = np.unique(sets, axis=0, return_inverse=True)
        counts = np.bincount(kind_of.reshape(-1), minlength=kinds.shape[1])
        old, new = (log_admitted(self.exponent * masses, counts, distinct) for masses in kinds)
        return np.asarray((new - old)[which.reshape(-1)])


def log_admitted(logs: Floats, counts: npt.NDArray[Any], sets: npt.NDArray[np.int64]) -> Floats:
    """Log-probability, up to a constant of counting, that peeling admits exactly these sets.

    Args:
        logs: float64[kinds], log-weights eta C of every kind of atom.
        counts: int[kinds], how many atoms are of each kind.
        sets: int64[sets, L], kinds of the admitted atoms; -1 stands for none.
    """
    logs = logs - logs.max()
    with np.errstate(divide="ignore"):
        parts = [_of_block(logs, counts, sets[at : at + BLOCK]) for at in range(0, len(sets), BLOCK)]
    return np.concatenate(parts)


def _of_block(logs: Floats, counts: npt.NDArray[Any], sets: npt.NDArray[np.int64]) -> Floats:
    taken = np.stack([(sets == kind).sum(axis=1) for kind in range(len(logs))], axis=1)
    rest = np.maximum(counts - taken, 0) @ np.exp(logs)  # from what is left out: a difference would cancel
    relative = np.clip(logs - np.log(rest)[:, None], -LARGEST, LARGEST)  # log(w_j / R); R is 0 where all are admitted
    total, lead = np.ones((len(sets), len(NODES))), np.zeros(len(sets))
    for kind in sets.T:
        rate = np.take_along_axis(relative, np.maximum(kind, 0)[:, None], axis=1)
        scale = np.minimum(rate, 0.0)  # taken out, so that small factors do not underflow together
        rings = -np.expm1(-np.exp(rate) * NODES) / np.exp(scale)
        total *= np.where(kind[:, None] < 0, 1.0, rings)
        lead += np.where(kind < 0, 0.0, scale[:, 0])
    return np.asarray(np.log(total @ WEIGHTS) + lead)
