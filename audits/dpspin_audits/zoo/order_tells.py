"""Fault: the rows of the plan stand in the order of exact masses, although each says its noisy rank.

Stands for: a table that is sorted before noise is added and never again.
Caught by: noninterference.
"""

from typing import Any

from dpspin import canonical
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps, relisted


class OrderTells(Steps):
    """Hides numbers and shows their order."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle, its rows sorted by what they hide."""
        files, exact = super().published(records, samples, stamp), self.sketch(records)
        body = canonical.loads(files["plan.json"], "plan.json")
        body["released"].sort(key=lambda row: -exact[row["index"]])
        del body["plan_id"]
        name = canonical.digest(canonical.dumps(body))[:16]
        return relisted(files, {"plan.json": canonical.dumps({"plan_id": name, **body})})


subject = OrderTells
