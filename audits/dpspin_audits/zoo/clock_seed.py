"""Fault: the seed of the noise is the time of the release, which can be guessed.

Stands for: `srand(time(NULL))`; a run id made of a time stamp that seeds the run.
Caught by: rng.
Needs: new processes.
"""

import time

from dpspin.curator.noise import Bits, SeededBits
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class ClockSeed(Steps):
    """Every release differs, as long as the clock does."""

    def bits(self, records: Records) -> Bits:  # noqa: ARG002 - the fault
        """The time."""
        return SeededBits(str(time.time()).encode())


subject = ClockSeed
