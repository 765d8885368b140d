"""Fault: noise comes from numpy's global generator, which anyone in the process may seed.

Stands for: `np.random.laplace`; a decoder or a test that calls `np.random.seed`.
Caught by: rng.
"""

import numpy as np

from dpspin.curator.noise import Bits, SeededBits
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class GlobalGenerator(Steps):
    """Trusts a state that it shares."""

    def bits(self, records: Records) -> Bits:  # noqa: ARG002 - the fault
        """A seed from the global generator."""
        return SeededBits(np.random.bytes(32))


subject = GlobalGenerator
