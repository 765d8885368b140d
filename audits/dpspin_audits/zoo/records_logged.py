"""Fault: every record is written to the log, which is the standard error, with its text.

Stands for: spec.md section 8, row 22; `logger.debug("took %s", record)`.
Caught by: canary, errors.
"""

import sys
from typing import Any

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class RecordsLogged(Steps):
    """Logs what it works on."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle, after a trace."""
        for record in records:
            print("took", dict(record), file=sys.stderr)  # noqa: T201 - the fault
        return super().published(records, samples, stamp)


subject = RecordsLogged
