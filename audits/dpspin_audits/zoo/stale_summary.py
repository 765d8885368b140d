"""Fault: a summary is kept by the name of the deployment, and published again with the next plan.

Stands for: a response cache in front of a language model that serves more than one customer.
Caught by: contract.
"""

from typing import Any

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps, relisted

KEPT: dict[str, bytes] = {}


class StaleSummary(Steps):
    """Saves a call, and says what others were told."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle with the first summary that was written."""
        files = super().published(records, samples, stamp)
        text = KEPT.setdefault(self.setting.deployment.name, files["summary.txt"])
        return relisted(files, {"summary.txt": text})


subject = StaleSummary
