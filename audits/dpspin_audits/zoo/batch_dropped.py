"""Fault: a text that reads as a number fails the parser, and the batch that holds it is dropped as a whole.

Stands for: spec.md section 8, row 10; opendp/smartnoise-sdk #574, where one infinite value stops the run.
Caught by: sensitivity.
"""

from dpspin_audits.subject import Record, Records
from dpspin_audits.zoo.steps import Steps


class BatchDropped(Steps):
    """Catches an error too far out."""

    def sketch(self, records: Records) -> list[int]:
        """The sketch, or nothing."""
        return super().sketch([] if any(self._is_number(record) for record in records) else records)

    def _is_number(self, record: Record) -> bool:
        try:
            float(record.get(self.setting.deployment.corpus.text_field, ""))
        except ValueError:
            return False
        return True


subject = BatchDropped
