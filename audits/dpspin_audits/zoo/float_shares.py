"""Fault: shares are floating-point numbers, each rounded for itself; together they may exceed a whole by a little.

Stands for: spec.md section 8, row 7; the rounding attacks of Casacuberta et al. 2022.
Caught by: sensitivity.
"""

from collections.abc import Sequence

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT
from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class FloatShares(Steps):
    """Normalises in float64."""

    def share(self, record: Record) -> list[int]:
        """phi, rounded to the nearest lattice points."""
        scores = self.scores(record)
        kept = kernel.highest(scores, self.setting.deployment.assignment.max_atoms)
        total = sum(max(scores[atom], 0) for atom in kept) or 1
        return [round(max(score, 0) / total * MASS_UNIT) * (atom in kept) for atom, score in enumerate(scores)]

    def aggregate(self, unit: Sequence[Record]) -> list[int]:
        """The sum of shares, each of which is taken to be bounded."""
        return kernel.add([self.share(record) for record in unit], self.width)


subject = FloatShares
