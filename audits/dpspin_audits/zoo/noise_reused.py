"""Fault: one draw of noise serves all atoms of a release, so that differences between masses are exact.

Stands for: a scalar that is broadcast over a vector.
Caught by: independence, canary.
"""

from typing import Any

import numpy as np

from dpspin.accounting.calibration import Peeling
from dpspin.curator.admission import admit_by_peeling
from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.noises import signed, values_of
from dpspin_audits.zoo.steps import Steps


class NoiseReused(Steps):
    """Every mass alone has the right law."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans in which all masses are off by the same amount."""
        noise, size = self.noise, self.setting.deployment.plan.size
        one = signed(values_of(noise), (runs, 1), bits)
        if isinstance(noise, Peeling):
            values = np.repeat(one, min(size, len(exact)), axis=1)
            return admit_by_peeling(exact, noise.exponent, values, bits, rigorous=False)
        return admit(exact, np.repeat(one, len(exact), axis=1), size)


subject = NoiseReused
