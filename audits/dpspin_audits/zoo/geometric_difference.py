"""Correct: Laplace noise is the difference of two geometric numbers, each drawn digit by digit.

Style: independent binary digits, no inversion and no rejection of values.
Deployment: unit user, adjacency replacement.
"""

from typing import Any

from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.noises import typical, values_of
from dpspin_audits.zoo.samplers import geometric
from dpspin_audits.zoo.steps import Steps


class GeometricDifference(Steps):
    """The same law, from two halves of it."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of an exact sketch."""
        scale, count = typical(values_of(self.noise)), runs * len(exact)
        noise = geometric(scale, count, bits) - geometric(scale, count, bits)
        return admit(exact, noise.reshape(runs, -1), self.setting.deployment.plan.size)


subject = GeometricDifference
