"""Correct: twice the noise that the claim needs, and says so.

Style: a margin for caution.
Deployment: mechanism top_l_gaussian.
"""

from dataclasses import replace
from fractions import Fraction

from dpspin.accounting.calibration import GaussianNoise, LaplaceNoise, Noise, Peeling
from dpspin.adjacency import MASS_UNIT
from dpspin.pipeline import Setting
from dpspin_audits.zoo.noises import typical, values_of
from dpspin_audits.zoo.steps import Steps


class MoreNoise(Steps):
    """Loses less than it promises."""

    def __init__(self, setting: Setting, seed: bytes | None = None) -> None:
        super().__init__(setting, seed)
        self.claim = replace(self.claim, scale=typical(values_of(self.noise)) / MASS_UNIT)

    @property
    def noise(self) -> Noise:
        """Values with twice the noise; admission as declared."""
        return _doubled(self.setting.noise)


def _doubled(noise: Noise) -> Noise:
    if isinstance(noise, Peeling):
        return Peeling(noise.exponent, values_of(_doubled(noise.values)))
    twice = Fraction(2) * typical(noise)
    return LaplaceNoise(twice) if isinstance(noise, LaplaceNoise) else GaussianNoise(twice)


subject = MoreNoise
