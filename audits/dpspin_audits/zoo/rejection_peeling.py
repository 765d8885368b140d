"""Correct: atoms are admitted by proposals at random, each of which is accepted or not.

Style: the exponential mechanism without a sum over atoms.
Deployment: mechanism top_l.
"""

from typing import Any

from dpspin.accounting.calibration import Peeling
from dpspin.curator.admission import in_order
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.noises import signed
from dpspin_audits.zoo.samplers import peel_by_rejection
from dpspin_audits.zoo.steps import Steps


class RejectionPeeling(Steps):
    """Never computes a probability."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of an exact sketch."""
        noise = self.noise
        if not isinstance(noise, Peeling):
            return super().noisy(exact, bits, runs)
        values = signed(noise.values, (runs, min(self.setting.deployment.plan.size, len(exact))), bits)
        return in_order(exact, peel_by_rejection(exact, noise.exponent, values.shape, bits), values)


subject = RejectionPeeling
