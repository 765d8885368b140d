"""Fault: a user's records are added up and never clipped, so that a user moves the sums by the number of records.

Stands for: contribution bounds that are declared and not applied.
Caught by: sensitivity, grouping.
Deployment: unit user.
"""

from collections.abc import Sequence

from dpspin import kernel
from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class UserUnclipped(Steps):
    """Groups by user and forgets what for."""

    def aggregate(self, unit: Sequence[Record]) -> list[int]:
        """The sum of the user's records."""
        return kernel.add([self.share(record) for record in unit], self.width)


subject = UserUnclipped
