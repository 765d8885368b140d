"""Fault: the highest atoms are chosen by exact masses, and only the masses that are printed carry noise.

Stands for: a top-L query on the raw table; noisy values do not hide which rows were chosen.
Caught by: canary.
"""

from typing import Any

import numpy as np

from dpspin import kernel
from dpspin.curator.admission import in_order
from dpspin.curator.noise import Bits
from dpspin_audits.subject import NoiseSource
from dpspin_audits.zoo.noises import asked, signed, values_of
from dpspin_audits.zoo.steps import Steps


class ExactSelection(Steps):
    """Admits without noise."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of the atoms that are highest in truth."""
        chosen = np.tile(kernel.highest(exact, self.setting.deployment.plan.size), (runs, 1))
        return in_order(exact, chosen, signed(values_of(self.noise), chosen.shape, bits))

    def injected(self, exact: list[int], noise: NoiseSource) -> Any:
        """The same under noise from outside."""
        chosen = sorted(kernel.highest(exact, self.setting.deployment.plan.size))
        masses = np.asarray(asked(values_of(self.noise), [exact[atom] for atom in chosen], noise))
        return in_order(exact, np.array([chosen]), masses[None, :] - np.asarray(exact)[chosen])


subject = ExactSelection
