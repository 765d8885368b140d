"""Fault: sigma comes from the classical rule at an epsilon at which that rule is false.

Stands for: spec.md section 8, row 9; the rule is proved below epsilon 1 and false from 8.42 at delta 1e-5.
Caught by: accounting.claim, accounting.certificate, sensitivity.
Deployment: mechanism gaussian, epsilon 10.
"""

from dataclasses import replace
from fractions import Fraction
from math import log, sqrt

from dpspin.accounting.calibration import GaussianNoise, Noise
from dpspin.adjacency import MASS_UNIT
from dpspin.pipeline import Setting
from dpspin_audits.zoo.steps import Steps


class ClassicalRule(Steps):
    """States its noise, and a loss that does not follow from it."""

    def __init__(self, setting: Setting, seed: bytes | None = None) -> None:
        super().__init__(setting, seed)
        self.claim = replace(self.claim, scale=self._sigma)

    @property
    def _sigma(self) -> Fraction:
        """B sqrt(2 ln(1.25 / delta)) / epsilon."""
        d = self.setting.deployment
        factor = sqrt(2 * log(1.25 / float(d.mechanism.delta)))
        return Fraction(factor) * d.mass_bound / d.mechanism.epsilon

    @property
    def noise(self) -> Noise:
        """Gaussian noise by that rule."""
        return GaussianNoise(self._sigma * MASS_UNIT)


subject = ClassicalRule
