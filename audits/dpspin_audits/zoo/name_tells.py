"""Fault: the name of a file holds the number of records.

Stands for: spec.md section 8, row 13; `summary_1009_records.txt`.
Caught by: hygiene, canary, support.
"""

from typing import Any

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class NameTells(Steps):
    """Names its output after its input."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle and a copy of the summary."""
        files = super().published(records, samples, stamp)
        return {**files, f"summary_{len(records)}_records.txt": files["summary.txt"]}


subject = NameTells
