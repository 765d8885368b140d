"""Fault: the factor 2 in the exponent of admission is dropped round by round although a unit is replaced.

Stands for: spec.md section 3, the cost (L+1) eta B; one direction of change is taken for both.
Caught by: accounting.claim.
Deployment: mechanism top_l, adjacency replacement, share 9/10.
"""

from dataclasses import replace
from fractions import Fraction

from dpspin.accounting.calibration import Noise, Peeling
from dpspin.adjacency import MASS_UNIT
from dpspin.pipeline import Setting
from dpspin_audits.zoo.steps import Steps


class HalvingDropped(Steps):
    """States eta = eps / (L B), which is enough for one unit more or less."""

    def __init__(self, setting: Setting, seed: bytes | None = None) -> None:
        super().__init__(setting, seed)
        if isinstance(self.noise, Peeling):
            self.claim = replace(self.claim, exponent=self.noise.exponent * MASS_UNIT)

    @property
    def noise(self) -> Noise:
        """The exponent times (L + 1) / L."""
        noise, rounds = self.setting.noise, min(self.setting.deployment.plan.size, self.width)
        larger = Fraction(rounds + 1, rounds)
        return replace(noise, exponent=noise.exponent * larger) if isinstance(noise, Peeling) else noise


subject = HalvingDropped
