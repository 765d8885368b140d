"""Fault: noise is asked for at the right scale where it comes from outside, and is half as large where it does not.

Stands for: a stub for tests that has the constant of the paper, while the code in operation has another one.
Caught by: distribution.ideal.
"""

from typing import Any

from dpspin.curator.noise import Bits
from dpspin_audits.zoo.noises import released, weaker
from dpspin_audits.zoo.steps import Steps


class RightWhenWatched(Steps):
    """Its plans alone tell."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans with half of the noise."""
        return released(exact, weaker(self.noise, 2), self.setting.deployment.plan.size, bits, runs)


subject = RightWhenWatched
