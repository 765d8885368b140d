"""Fault: atoms with an exact mass below that of one unit are left out, as if a minimum count were a guarantee.

Stands for: small counts suppressed before noise, which is k-anonymity; spec.md section 8, row 21.
Caught by: contract, support.
"""

from typing import Any

import numpy as np

from dpspin.adjacency import MASS_UNIT
from dpspin.curator.full_sketch import Samples
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.steps import Steps

LEAST = MASS_UNIT


class RareLeftOut(Steps):
    """Compares exact masses with a threshold."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans without rare atoms; -1 stands for a row that is missing."""
        samples = super().noisy(exact, bits, runs)
        common = np.asarray(exact)[samples.atoms] >= LEAST
        return Samples(np.where(common, samples.atoms, -1), np.where(common, samples.masses, 0))


subject = RareLeftOut
