"""Fault: the second release of an instance is not charged, because the first one was.

Stands for: spec.md section 8, row 8; a ledger keyed by the deployment's digest.
Caught by: budget.
"""

from fractions import Fraction

from dpspin_audits.zoo.steps import Steps


class Uncharged(Steps):
    """Charges a deployment, not its releases."""

    def spent(self) -> tuple[Fraction, Fraction]:
        """Of one release, however many there were."""
        epsilon, delta = super().spent()
        return min(epsilon, self.claim.epsilon), min(delta, self.claim.delta)


subject = Uncharged
