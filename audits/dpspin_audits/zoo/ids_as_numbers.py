"""Fault: ids are read as numbers where they look like some, and 1, 01 and 1.0 become one user.

Stands for: spec.md section 1; a column that one missing value turns into floats.
Caught by: sensitivity.
Deployment: unit user.
"""

from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class IdsAsNumbers(Steps):
    """Infers types."""

    def unit_of(self, record: Record) -> str | None:
        """The id, as a number if it is one."""
        unit = super().unit_of(record)
        try:
            return unit and f"user {float(unit.removeprefix('user '))}"
        except ValueError:
            return unit


subject = IdsAsNumbers
