"""Fault: records are grouped by their own ids although users are promised protection.

Stands for: spec.md section 3.1 of the paper; a join key that is mistaken for the unit.
Caught by: sensitivity.
Deployment: unit user.
"""

from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class WrongUnit(Steps):
    """Bounds records and calls them users."""

    def unit_of(self, record: Record) -> str | None:
        """The id of the record, where there is a user."""
        return super().unit_of(record) and record.get(self.setting.deployment.corpus.id_field)


subject = WrongUnit
