"""Fault: users are clipped by their Euclidean norm, while the noise is for sums of absolute values.

Stands for: spec.md section 2, Delta_1 against Delta_2; opendp/smartnoise-sdk #622, a clip that kept another bound.
Caught by: sensitivity.
Deployment: unit user.
"""

from collections.abc import Sequence
from math import isqrt

from dpspin import kernel
from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class ClippedInL2(Steps):
    """A user on three atoms weighs up to sqrt(3) B."""

    def aggregate(self, unit: Sequence[Record]) -> list[int]:
        """The sum of the user's records, scaled to a Euclidean norm of at most B."""
        total = kernel.add([self.share(record) for record in unit], self.width)
        norm = isqrt(sum(part**2 for part in total)) + 1
        return total if norm <= self.bound else [part * self.bound // norm for part in total]


subject = ClippedInL2
