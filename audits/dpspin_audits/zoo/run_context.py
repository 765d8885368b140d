"""Fault: the prompt says how many units the run covered.

Stands for: spec.md section 8, row 13; run ids, counts and times in the decoder's context.
Caught by: noninterference.
"""

from typing import Any

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps, told


class RunContext(Steps):
    """Gives context."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle, with a count in the prompt."""
        return told(super().published(records, samples, stamp), f"This run covered {len(self.units(records))} units.\n")


subject = RunContext
