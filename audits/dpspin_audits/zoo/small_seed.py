"""Fault: the seed of the noise is fresh and secret, and one of a thousand, so that whoever tries them all finds it.

Stands for: `RandomState(randint(0, 1000))`; a process number as a seed; seeds of 32 bits are tried in hours.
Caught by: rng.
"""

import secrets
from typing import Any

import numpy as np

from dpspin.accounting.calibration import LaplaceNoise
from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.noises import typical, values_of
from dpspin_audits.zoo.steps import Steps

SEEDS = 1000


class SmallSeed(Steps):
    """Noise as numpy draws it from a seed that is thrown away."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans; a single one is made with the noise of a small seed."""
        if runs > 1:
            return super().noisy(exact, bits, runs)
        draw, stated = np.random.default_rng(secrets.randbelow(SEEDS)), values_of(self.noise)
        law = draw.laplace if isinstance(stated, LaplaceNoise) else draw.normal
        noise = np.rint(law(0, float(typical(stated)), (1, len(exact)))).astype(np.int64)
        return admit(exact, noise, self.setting.deployment.plan.size)


subject = SmallSeed
