"""Fault: scores are divided by the largest score of the batch, so that one record changes what all others weigh.

Stands for: spec.md section 8, row 10; min-max scaling of a data frame before it is summed.
Caught by: locality, sensitivity.
"""

from dpspin.adjacency import MASS_UNIT
from dpspin_audits.subject import Record, Records
from dpspin_audits.zoo.steps import Steps


class BatchNormalised(Steps):
    """Scales to the strongest record."""

    _largest = 1

    def sketch(self, records: Records) -> list[int]:
        """The sketch, normalised by this batch."""
        self._largest = max((sum(self.scores(record)) for record in records), default=0) or 1
        return super().sketch(records)

    def share(self, record: Record) -> list[int]:
        """phi, less for a record that is weaker than the strongest."""
        strength = min(MASS_UNIT, sum(self.scores(record)) * MASS_UNIT // self._largest)
        return [part * strength // MASS_UNIT for part in super().share(record)]


subject = BatchNormalised
