"""Fault: the noise is half of what the claim needs, as if a unit weighed 1/2.  Its loss is about twice the claim."""

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
