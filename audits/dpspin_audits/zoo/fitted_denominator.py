"""Fault: masses are normalised by the number of records, which is protected itself and published without noise.

Stands for: spec.md section 8, rows 6 and 24; opendp/smartnoise-core #356.
Caught by: hygiene.
Deployment: adjacency replacement.
"""

from dataclasses import replace

from dpspin.plan import PlanTerms
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class FittedDenominator(Steps):
    """Takes |D| for the public denominator."""

    def terms(self, records: Records) -> PlanTerms:
        """Terms whose denominator is the number of records."""
        terms = super().terms(records)
        return replace(terms, denominator=max(len(records), 1) * terms.mass_unit)


subject = FittedDenominator
