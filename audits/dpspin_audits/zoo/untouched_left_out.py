"""Fault: only atoms that some record touches can be admitted, so that the list of atoms is taken from the data.

Stands for: spec.md section 1, Assumption 3.5; a group-by whose keys are released without a threshold.
Caught by: contract, support.
"""

from typing import Any

import numpy as np

from dpspin.curator.full_sketch import Samples
from dpspin.curator.noise import Bits
from dpspin_audits.subject import NoiseSource
from dpspin_audits.zoo.steps import Steps


class UntouchedLeftOut(Steps):
    """Releases a row for each key that it has seen."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans without untouched atoms; -1 stands for a row that is missing."""
        return _without_untouched(exact, super().noisy(exact, bits, runs))

    def injected(self, exact: list[int], noise: NoiseSource) -> Any:
        """The same under noise from outside."""
        return _without_untouched(exact, super().injected(exact, noise))


def _without_untouched(exact: list[int], samples: Samples) -> Samples:
    seen = np.asarray(exact)[samples.atoms] > 0
    return Samples(np.where(seen, samples.atoms, -1), np.where(seen, samples.masses, 0))


subject = UntouchedLeftOut
