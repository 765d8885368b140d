"""Fault: a release is repeated until its first atom is the true one, and the last try is published as if it were one.

Stands for: retries until a quality check passes; selection by data after the charge.
Caught by: distribution.ideal, sensitivity.
"""

from typing import Any

import numpy as np

from dpspin.curator.full_sketch import Samples
from dpspin.curator.noise import Bits
from dpspin_audits.zoo.steps import Steps


class RedrawnUntilRight(Steps):
    """Compares with the exact sketch before it publishes."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans whose highest atom is the highest one."""
        right = max(range(len(exact)), key=lambda atom: (exact[atom], -atom))
        tried = super().noisy(exact, bits, runs)
        while (wrong := tried.atoms[:, :1] != right).any():
            again = super().noisy(exact, bits, runs)
            tried = Samples(*(np.where(wrong, new, old) for new, old in zip(again, tried, strict=True)))
        return tried


subject = RedrawnUntilRight
