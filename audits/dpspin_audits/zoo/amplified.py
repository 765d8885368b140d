"""Fault: noise is cut by an amplification that a fixed, keyed choice of units does not give.

Stands for: spec.md section 8, row 1; amplification by sampling claimed for a sample that is the same in every run.
Caught by: sensitivity.
Deployment: rate 1/2.
"""

from fractions import Fraction
from math import expm1, log1p

from dpspin.accounting.calibration import Noise
from dpspin.settings import Exact
from dpspin_audits.zoo.noises import calibrated_for
from dpspin_audits.zoo.steps import Steps


class Amplified(Steps):
    """Calibrates for ln(1 + (e^eps - 1) / p)."""

    @property
    def noise(self) -> Noise:
        """The noise of a larger epsilon."""
        d = self.setting.deployment
        larger = log1p(expm1(float(d.mechanism.epsilon)) / float(d.corpus.sampling_rate))
        weaker = d.mechanism.model_copy(update={"epsilon": Exact(str(Fraction(larger).limit_denominator(1000)))})
        return calibrated_for(self.setting, mechanism=weaker)


subject = Amplified
