"""Fault: the last admitted mass is released as it is, because noise was added in place to all entries but one.

Stands for: NVIDIA/NVFlare #343, where some values passed clipped and without noise.
Caught by: distribution.ideal.
"""

from typing import Any

import numpy as np

from dpspin.curator.full_sketch import Samples
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.steps import Steps


class UnnoisedValues(Steps):
    """An index that is off by one."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans whose last mass is exact."""
        samples = super().noisy(exact, bits, runs)
        masses = samples.masses.copy()
        masses[:, 0] = np.asarray(exact)[samples.atoms[:, 0]]
        return Samples(samples.atoms, masses)


subject = UnnoisedValues
