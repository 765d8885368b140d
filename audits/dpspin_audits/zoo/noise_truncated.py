"""Fault: noise beyond four scales is drawn again, to spare readers odd values; some outputs then exclude a corpus.

Stands for: truncated mechanisms that keep the scale of the unbounded ones.
Caught by: support.
"""

from typing import Any

import numpy as np

from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.noises import signed, typical, values_of
from dpspin_audits.zoo.steps import Steps

FURTHEST = 4


class NoiseTruncated(Steps):
    """Keeps the law inside an interval."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans whose noise lies within four scales."""
        law, shape = values_of(self.noise), (runs, len(exact))
        noise, far = signed(law, shape, bits), float(FURTHEST * typical(law))
        while (odd := np.abs(noise) > far).any():
            noise = np.where(odd, signed(law, shape, bits), noise)
        return admit(exact, noise, self.setting.deployment.plan.size)


subject = NoiseTruncated
