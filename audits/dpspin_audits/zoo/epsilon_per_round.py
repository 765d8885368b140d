"""Fault: every round of admission spends all of epsilon that was meant for the L rounds together.

Stands for: variants of the sparse vector technique in Lyu et al. 2017; spec.md section 3.
Caught by: sensitivity.
Deployment: mechanism top_l, share 3/4.
"""

from dataclasses import replace

from dpspin.accounting.calibration import Noise, Peeling
from dpspin_audits.zoo.steps import Steps


class EpsilonPerRound(Steps):
    """Admission by peeling with an exponent that is L times too large."""

    @property
    def noise(self) -> Noise:
        """The exponent of one round, in every round."""
        noise, rounds = self.setting.noise, min(self.setting.deployment.plan.size, self.width)
        return replace(noise, exponent=noise.exponent * rounds) if isinstance(noise, Peeling) else noise


subject = EpsilonPerRound
