"""Fault: the generator of noise has a default seed, and nobody gave it another one.

Stands for: spec.md section 8, row 2; `seed=0` in a signature.
Caught by: rng.
"""

from dpspin.curator.noise import Bits, SeededBits
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class DefaultSeed(Steps):
    """The same noise in every process."""

    def bits(self, records: Records) -> Bits:  # noqa: ARG002 - the fault
        """The same each time."""
        return SeededBits(bytes(8))


subject = DefaultSeed
