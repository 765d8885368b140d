"""Fault: the number of units that were used lies beside the plan, without noise.

Stands for: spec.md section 8, row 4; `metrics.json` in the paper's run folders.
Caught by: hygiene, canary, noninterference.
"""

from typing import Any

from dpspin import canonical
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class BesidePlan(Steps):
    """A correct plan, and metrics.json in the same folder."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle and a count."""
        metrics = canonical.dumps({"effective_units": len(self.units(records)), "effective_records": len(records)})
        return {**super().published(records, samples, stamp), "metrics.json": metrics}


subject = BesidePlan
