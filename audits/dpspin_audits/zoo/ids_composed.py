"""Fault: ids are brought to a Unicode normal form before they are compared, which makes different ids equal.

Stands for: spec.md section 1, ids are compared exactly as given; text normalisation in front of a group-by.
Caught by: grouping.
Deployment: unit user.
"""

from unicodedata import normalize

from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class IdsComposed(Steps):
    """Normalises text wherever it stands."""

    def unit_of(self, record: Record) -> str | None:
        """The id in form NFKC."""
        unit = super().unit_of(record)
        return unit and normalize("NFKC", unit)


subject = IdsComposed
