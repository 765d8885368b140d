"""Fault: a second noisy plan of the same corpus lies in the folder, and one charge was made.

Stands for: spec.md section 8, row 8; a draft release that nobody deleted.
Caught by: hygiene.
"""

from typing import Any

from dpspin.curator.noise import SystemBits
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class SecondPlan(Steps):
    """Every one of its files keeps the claim, and both together do not."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle and an earlier plan."""
        files = super().published(records, samples, stamp)
        again = super().published(records, self.noisy(self.sketch(records), SystemBits(), 1), stamp)
        return {**files, "plan.draft.json": again["plan.json"]}


subject = SecondPlan
