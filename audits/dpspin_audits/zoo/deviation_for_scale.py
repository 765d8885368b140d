"""Fault: the scale b of Laplace noise is taken for its standard deviation, which is sqrt(2) b.

Stands for: a sampler's parameter of another name; numpy's `scale` against a library's `std`.
Caught by: sensitivity.
"""

from fractions import Fraction

from dpspin.accounting.calibration import LaplaceNoise, Noise
from dpspin_audits.zoo.steps import Steps

ROOT = Fraction(2**0.5)


class DeviationForScale(Steps):
    """Adds noise whose deviation is Delta_1 / epsilon."""

    @property
    def noise(self) -> Noise:
        """Laplace noise of a smaller scale."""
        noise = self.setting.noise
        return LaplaceNoise(noise.scale / ROOT) if isinstance(noise, LaplaceNoise) else noise


subject = DeviationForScale
