"""Fault: the noise has half the scale that the claim needs, as if Delta_1 were 1/2.  Its loss is twice the claim."""

from typing import Any

from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits, laplace
from dpspin_audits.zoo.steps import Steps


class NoiseHalved(Steps):
    """Claims epsilon and spends two."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans with noise of half the claimed scale."""
        scale = self.setting.deployment.noise_scale(len(exact)) / 2
        return admit(exact, laplace(scale, (runs, len(exact)), bits, rigorous=False), self.setting.deployment.plan.size)


subject = NoiseHalved
