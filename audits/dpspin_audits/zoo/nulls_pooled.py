"""Fault: all records without a user's id are taken for one user, who displaces each of them.

Stands for: spec.md section 8, row 12; a group-by that keeps missing keys as one key.
Caught by: sensitivity.
Deployment: unit user, missing own_unit.
"""

from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class NullsPooled(Steps):
    """Promises each record without an id to be its own unit."""

    def unit_of(self, record: Record) -> str | None:
        """The user's id, or the text None."""
        return f"user {record.get(self._field)}"

    @property
    def _field(self) -> str:
        user = self.setting.deployment.user
        return user.id_field if user else self.setting.deployment.corpus.id_field


subject = NullsPooled
