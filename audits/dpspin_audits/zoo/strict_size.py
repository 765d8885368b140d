"""Fault: a release is refused where there are fewer units than were announced.

Stands for: spec.md section 8, row 5; `strict_sample_size` in the paper's code.
Caught by: errors.
"""

from dpspin.errors import UsageError
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps

ANNOUNCED = 1


class StrictSize(Steps):
    """Tells a number by telling whether it is large enough."""

    def sketch(self, records: Records) -> list[int]:
        """The exact sketch of enough units."""
        if len(self.units(records)) < ANNOUNCED:
            raise UsageError("corpus", "fewer units than announced", "collect more")
        return super().sketch(records)


subject = StrictSize
