"""Fault: an instance has noise for two releases, and adds none to those that follow.

Stands for: a buffer of random numbers that is filled at the start; an iterator that ends and is zipped to its length.
Caught by: sampling.
"""

from typing import Any

import numpy as np

from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.steps import Steps

FULL = 2
"""Releases that the buffer lasts for."""


class NoiseUsedUp(Steps):
    """The first releases are as they should be."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans; without noise where the instance has released too often."""
        if self._releases <= FULL:
            return super().noisy(exact, bits, runs)
        return admit(exact, np.zeros((runs, len(exact)), np.int64), self.setting.deployment.plan.size)


subject = NoiseUsedUp
