"""Fault: where the unit is a user, noise of the values is that of one record, as if no user had more than one.

Stands for: Clip_B with noise for B = 1; spec.md section 2.
Caught by: sensitivity.
Deployment: unit user, mechanism gaussian.
"""

from dpspin.accounting.calibration import Noise
from dpspin.settings import Exact
from dpspin_audits.zoo.noises import calibrated_for, with_values
from dpspin_audits.zoo.steps import Steps


class ValuesPerRecord(Steps):
    """Clips users to B and adds noise for a mass of one."""

    @property
    def noise(self) -> Noise:
        """Admission as declared, values calibrated for B = 1."""
        return with_values(self.setting.noise, calibrated_for(self.setting, mass_bound=Exact("1")))


subject = ValuesPerRecord
