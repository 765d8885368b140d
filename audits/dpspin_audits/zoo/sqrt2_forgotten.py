"""Fault: Gaussian noise for Delta_2 = B under replacement, where two atoms move and Delta_2 is sqrt(2) B.

Stands for: spec.md section 2; a sum of squares that was taken for the largest square.
Caught by: sensitivity.
Deployment: mechanism gaussian, adjacency replacement.
"""

from fractions import Fraction

from dpspin.accounting.calibration import GaussianNoise, Noise
from dpspin.accounting.gaussian import analytic_sigma
from dpspin.adjacency import MASS_UNIT
from dpspin_audits.zoo.steps import Steps


class Sqrt2Forgotten(Steps):
    """The analytic rule at the largest change of a single atom."""

    @property
    def noise(self) -> Noise:
        """sigma for a shift of B."""
        d = self.setting.deployment
        loss = Fraction(d.mechanism.epsilon), Fraction(d.mechanism.delta)
        return GaussianNoise(Fraction(analytic_sigma(*loss, Fraction(d.mass_bound) ** 2)) * MASS_UNIT)


subject = Sqrt2Forgotten
