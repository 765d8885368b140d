"""Fault: the cut between the bins is fitted to the exact masses, so that the largest theme is always "high".

Stands for: spec.md section 8, row 19; quantiles of protected values as public cuts.
Caught by: hygiene.
"""

from dataclasses import replace
from fractions import Fraction

from dpspin.plan import PlanTerms
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps

SCALE = 10**6


class FittedBins(Steps):
    """Publishes a quantile of protected masses as a cut."""

    def terms(self, records: Records) -> PlanTerms:
        """Terms whose cuts divide the range up to the largest exact mass."""
        terms = super().terms(records)
        largest = int(Fraction(max(self.sketch(records)), terms.denominator) * SCALE)
        parts = len(terms.cuts) + 1
        cuts = tuple(number + largest * number // parts for number in range(1, parts))
        return replace(terms, cuts=cuts, cut_scale=SCALE)


subject = FittedBins
