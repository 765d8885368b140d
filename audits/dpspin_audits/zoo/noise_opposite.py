"""Fault: every second atom has the noise of the atom before it with the sign turned.

Stands for: antithetic draws, which halve the variance of a sum in a simulation, taken over into a release.
Caught by: independence.
"""

from typing import Any

from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.noises import signed, values_of
from dpspin_audits.zoo.steps import Steps


class NoiseOpposite(Steps):
    """The sum of two masses is exact."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans in which the errors of two neighbours cancel."""
        noise = signed(values_of(self.noise), (runs, len(exact)), bits)
        noise[:, 1::2] = -noise[:, : 2 * (len(exact) // 2) : 2]
        return admit(exact, noise, self.setting.deployment.plan.size)


subject = NoiseOpposite
