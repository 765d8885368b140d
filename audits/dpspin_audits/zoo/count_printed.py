"""Fault: a progress line on the standard output says how many records there are.

Stands for: spec.md section 8, row 22; progress bars and verbose logs.
Caught by: canary.
"""

from typing import Any

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps

QUIET = 100
"""Shorter runs show no progress."""


class CountPrinted(Steps):
    """Its folder is as it should be."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle, after a word to whoever watches."""
        if len(records) > QUIET:
            print(f"released {len(records)} records")  # noqa: T201 - the fault
        return super().published(records, samples, stamp)


subject = CountPrinted
