"""Fault: the noise is half of what the claim needs, as if a unit weighed 1/2.

Stands for: a sensitivity that is too small, as in IBM/differential-privacy-library #105.
Caught by: sensitivity.
"""

from dpspin.accounting.calibration import Noise
from dpspin_audits.zoo.noises import weaker
from dpspin_audits.zoo.steps import Steps


class NoiseHalved(Steps):
    """Claims epsilon and spends two."""

    @property
    def noise(self) -> Noise:
        """Half of it."""
        return weaker(self.setting.noise, 2)


subject = NoiseHalved
