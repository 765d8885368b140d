"""Fault: noise for one unit more or less, claimed under replacement, where a unit leaves and another one comes.

Stands for: google/differential-privacy #378, a factor of 2 under replacement.
Caught by: sensitivity.
Deployment: mechanism laplace, adjacency replacement.
"""

from dpspin.accounting.calibration import Noise
from dpspin_audits.zoo.noises import calibrated_for
from dpspin_audits.zoo.steps import Steps


class WrongRelation(Steps):
    """Uses the sensitivities of add/drop."""

    @property
    def noise(self) -> Noise:
        """Calibrated under add/drop."""
        return calibrated_for(self.setting, adjacency="add_drop")


subject = WrongRelation
