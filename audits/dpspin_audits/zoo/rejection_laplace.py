"""Correct: Laplace noise is drawn by rejection from uniform integers, without any logarithm.

Style: the sampler of Canonne, Kamath and Steinke 2020, in vectors.
"""

from typing import Any

from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.noises import typical, values_of
from dpspin_audits.zoo.samplers import laplace_by_rejection
from dpspin_audits.zoo.steps import Steps


class RejectionLaplace(Steps):
    """The same law, other words."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of an exact sketch."""
        noise = laplace_by_rejection(typical(values_of(self.noise)), runs * len(exact), bits)
        return admit(exact, noise.reshape(runs, -1), self.setting.deployment.plan.size)


subject = RejectionLaplace
