"""Fault: noise is added as an absolute value, so that no mass is ever below the exact one.

Stands for: folded noise, made so that counts do not fall below zero.
Caught by: distribution.ideal.
"""

from typing import Any

import numpy as np

from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.noises import signed, values_of
from dpspin_audits.zoo.steps import Steps


class NoiseFolded(Steps):
    """Adds, never takes away."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of masses that only grow."""
        noise = np.abs(signed(values_of(self.noise), (runs, len(exact)), bits))
        return admit(exact, noise, self.setting.deployment.plan.size)


subject = NoiseFolded
