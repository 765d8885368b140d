"""Fault: a user's sum is multiplied by a floating-point factor and rounded, so that it may exceed B by a little.

Stands for: spec.md section 8, row 7; repeated rounding in Casacuberta et al. 2022.
Caught by: sensitivity.
Deployment: unit user.
"""

from collections.abc import Sequence

from dpspin import kernel
from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class FloatClip(Steps):
    """Clips in float64."""

    def aggregate(self, unit: Sequence[Record]) -> list[int]:
        """The sum of the user's records times min(1, B / total)."""
        total = kernel.add([self.share(record) for record in unit], self.width)
        factor = min(1.0, self.bound / max(sum(total), 1))
        return [round(part * factor) for part in total]


subject = FloatClip
