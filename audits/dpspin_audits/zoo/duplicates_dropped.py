"""Fault: a text that was seen before counts no more, so that one unit decides whether another one counts.

Stands for: spec.md section 8, row 10; deduplication before aggregation.
Caught by: locality, grouping.
"""

from dpspin_audits.subject import Record, Records
from dpspin_audits.zoo.steps import Steps


class DuplicatesDropped(Steps):
    """Cleans the corpus first."""

    def units(self, records: Records) -> list[list[Record]]:
        """Units of the first record of each text."""
        text = self.setting.deployment.corpus.text_field
        return super().units(list({record.get(text): record for record in reversed(records)}.values())[::-1])


subject = DuplicatesDropped
