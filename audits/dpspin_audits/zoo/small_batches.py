"""Fault: batches of a few records take another path, whose sums are coarser by a bit.

Stands for: spec.md section 8, row 10; matrix products whose last digits follow the batch size below twenty records.
Caught by: locality.
"""

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps

FEW = range(2, 40)


class SmallBatches(Steps):
    """Alone, a record counts as it should, and so it does in a large corpus."""

    def sketch(self, records: Records) -> list[int]:
        """The exact sketch, down to an even number where there are few records."""
        exact = super().sketch(records)
        return [mass // 2 * 2 for mass in exact] if len(records) in FEW else exact


subject = SmallBatches
