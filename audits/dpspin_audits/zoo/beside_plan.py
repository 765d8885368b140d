"""Fault: the number of units that were used lies beside the plan, without noise."""

from collections.abc import Mapping

from dpspin import canonical
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class BesidePlan(Steps):
    """A correct plan, and metrics.json in the same folder."""

    def release(self, records: Records) -> Mapping[str, bytes]:
        """The bundle and a count."""
        metrics = canonical.dumps({"effective_units": len(self.units(records)), "effective_records": len(records)})
        return {**super().release(records), "metrics.json": metrics}


subject = BesidePlan
