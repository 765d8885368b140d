"""Fault: users are grouped by ids without case, blanks and leading zeros, so that two users may share one bound.

Stands for: spec.md section 1; ids that are tidied before a join.
Caught by: grouping, sensitivity.
Deployment: unit user.
"""

from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class IdsFolded(Steps):
    """Takes ids that look alike for one."""

    def unit_of(self, record: Record) -> str | None:
        """The id, tidied."""
        unit = super().unit_of(record)
        return None if unit is None else unit.removeprefix("user ").strip().lower().lstrip("0")


subject = IdsFolded
