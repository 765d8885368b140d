"""Reported: a release takes longer the more records there are.

Stands for: spec.md section 8, row 17; running time is outside the guarantee, and a report says so.
"""

import time

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps

SECONDS = 1e-6


class SlowRecords(Steps):
    """Whoever holds a watch learns a size."""

    def sketch(self, records: Records) -> list[int]:
        """The exact sketch, after a while."""
        time.sleep(SECONDS * len(records))
        return super().sketch(records)


subject = SlowRecords
