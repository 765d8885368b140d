"""Fault: the last two atoms share one draw of noise, and all others have their own.

Stands for: an index that is off by one in a loop over a vector of noise.
Caught by: independence.
"""

from typing import Any

from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.noises import signed, values_of
from dpspin_audits.zoo.steps import Steps


class NoiseOfTwo(Steps):
    """The difference of two masses among many is exact."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans in which the last two masses are off by the same amount."""
        noise = signed(values_of(self.noise), (runs, len(exact)), bits)
        noise[:, -1] = noise[:, -2]
        return admit(exact, noise, self.setting.deployment.plan.size)


subject = NoiseOfTwo
