"""Fault: the margin of comparisons is the smallest gap between exact masses, so that every comparison can be made.

Stands for: spec.md section 8, row 19; a threshold that is chosen after a look at the data.
Caught by: hygiene, canary.
"""

from dataclasses import replace

from dpspin.plan import PlanTerms
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class FittedMargin(Steps):
    """Publishes a function of protected masses."""

    def terms(self, records: Records) -> PlanTerms:
        """Terms whose margin is a gap."""
        masses = sorted(self.sketch(records), reverse=True)
        return replace(super().terms(records), margin=max(1, masses[0] - masses[1]))


subject = FittedMargin
