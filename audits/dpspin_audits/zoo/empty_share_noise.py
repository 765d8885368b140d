"""Fault: all atoms that no record touches are filled with one draw of noise.

Stands for: missing keys that are filled in after a group-by, in one assignment.
Caught by: independence, support.
"""

from typing import Any

import numpy as np

from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.noises import signed, values_of
from dpspin_audits.zoo.steps import Steps


class EmptyShareNoise(Steps):
    """Broadcasts a scalar."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans in which untouched atoms have equal masses."""
        noise = signed(values_of(self.noise), (runs, len(exact) + 1), bits)
        filled = np.where(np.asarray(exact) > 0, noise[:, 1:], noise[:, :1])
        return admit(exact, filled, self.setting.deployment.plan.size)


subject = EmptyShareNoise
