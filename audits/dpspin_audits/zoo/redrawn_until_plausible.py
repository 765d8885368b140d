"""Fault: noise is drawn again until the mass lies between zero and the exact total, where a true mass would lie.

Stands for: results that are forced into a plausible range whose end is protected.
Caught by: distribution.ideal.
"""

from typing import Any

import numpy as np

from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.noises import signed, values_of
from dpspin_audits.zoo.steps import Steps


class RedrawnUntilPlausible(Steps):
    """Conditions on what it hides."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans without negative masses, and without one above the total."""
        law, shape, masses = values_of(self.noise), (runs, len(exact)), np.asarray(exact)
        most = max(sum(exact), int(self.setting.floor))
        noise = signed(law, shape, bits)
        while (odd := (masses + noise < 0) | (masses + noise > most)).any():
            noise = np.where(odd, signed(law, shape, bits), noise)
        return admit(exact, noise, self.setting.deployment.plan.size)


subject = RedrawnUntilPlausible
