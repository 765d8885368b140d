"""Fault: an atom's noise is drawn when records first touch it and kept while the instance lives.

Stands for: sticky noise, attacked by Gadotti et al. 2019; the difference of two releases is exact.
Caught by: independence.
"""

from typing import Any

import numpy as np

from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin.pipeline import Setting
from dpspin_audits.zoo.noises import signed, values_of
from dpspin_audits.zoo.steps import Steps


class StickyNoise(Steps):
    """Answers a question twice in the same way."""

    def __init__(self, setting: Setting, seed: bytes | None = None) -> None:
        super().__init__(setting, seed)
        self._kept: dict[int, int] = {}

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans; a single one is made with the noise that was kept."""
        if runs > 1:
            return super().noisy(exact, bits, runs)
        noise = [int(x) for x in signed(values_of(self.noise), (1, len(exact)), bits)[0]]
        for atom, mass in enumerate(exact):
            noise[atom] = self._kept.setdefault(atom, noise[atom]) if mass else noise[atom]
        return admit(exact, np.array([noise]), self.setting.deployment.plan.size)


subject = StickyNoise
