"""Correct: noisy masses are rounded to a thousandth of a unit before atoms are ordered.

Style: post-processing by a rule that looks at noisy numbers alone; ties are common.
"""

from typing import Any

import numpy as np

from dpspin.adjacency import MASS_UNIT
from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin_audits.subject import NoiseSource
from dpspin_audits.zoo.noises import asked, signed, values_of
from dpspin_audits.zoo.steps import Steps

STEP = MASS_UNIT // 1000


class CoarseMasses(Steps):
    """Shows no more digits than mean something."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of rounded masses."""
        return self._rounded(np.asarray(exact) + signed(values_of(self.noise), (runs, len(exact)), bits))

    def injected(self, exact: list[int], noise: NoiseSource) -> Any:
        """The same under noise from outside."""
        return self._rounded(np.array([asked(values_of(self.noise), exact, noise)]))

    def _rounded(self, noisy: Any) -> Any:
        coarse = (noisy + STEP // 2) // STEP * STEP
        return admit([0] * self.width, coarse, self.setting.deployment.plan.size)


subject = CoarseMasses
