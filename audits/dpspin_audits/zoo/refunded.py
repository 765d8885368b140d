"""Fault: the charge of a release that shows little is given back.

Stands for: spec.md section 8, row 8, never refunded; an error handler that rolls the budget back.
Caught by: budget.
"""

from collections.abc import Mapping
from fractions import Fraction

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class Refunded(Steps):
    """What it gives back depends on the records."""

    _refund = False

    def release(self, records: Records) -> Mapping[str, bytes]:
        """The bundle; an empty corpus costs nothing."""
        self._refund = not any(self.sketch(records))
        return super().release(records)

    def spent(self) -> tuple[Fraction, Fraction]:
        """Without the last release, if that was one of nothing."""
        epsilon, delta = super().spent()
        return epsilon - self._refund * self.claim.epsilon, delta - self._refund * self.claim.delta


subject = Refunded
