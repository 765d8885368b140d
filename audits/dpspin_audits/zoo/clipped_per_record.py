"""Fault: the bound of a user is applied to every record, and a user has many.

Stands for: contribution bounding per row where the claim is about users; spec.md section 2.
Caught by: sensitivity, grouping.
Deployment: unit user, mechanism gaussian.
"""

from collections.abc import Sequence

from dpspin import kernel
from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class ClippedPerRecord(Steps):
    """Clips before adding instead of after."""

    def aggregate(self, unit: Sequence[Record]) -> list[int]:
        """The sum of clipped records."""
        return kernel.add([kernel.clip(self.share(record), self.bound) for record in unit], self.width)


subject = ClippedPerRecord
