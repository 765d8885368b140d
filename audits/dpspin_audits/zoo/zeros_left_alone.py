"""Fault: a mass of zero stays zero, and noise is added to the others alone.

Stands for: opendp/smartnoise-sdk #128, a sum of zero that is released without noise.
Caught by: support.
"""

from typing import Any

import numpy as np

from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin_audits.subject import NoiseSource
from dpspin_audits.zoo.noises import asked, signed, values_of
from dpspin_audits.zoo.steps import Steps


class ZerosLeftAlone(Steps):
    """Takes nothing for nothing to protect."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans in which untouched atoms have their exact mass."""
        noise = signed(values_of(self.noise), (runs, len(exact)), bits)
        return admit(exact, noise * (np.asarray(exact) > 0), self.setting.deployment.plan.size)

    def injected(self, exact: list[int], noise: NoiseSource) -> Any:
        """The same under noise from outside."""
        masses = np.asarray(exact)
        masses[masses > 0] = asked(values_of(self.noise), [mass for mass in exact if mass], noise)
        return admit(masses.tolist(), np.zeros((1, len(exact)), np.int64), self.setting.deployment.plan.size)


subject = ZerosLeftAlone
