"""Fault: a record's mass is spread over all atoms with a positive score, not over the K highest.

Stands for: Eq. (1) of the paper, ||phi(x)||_0 <= K; a cap on contributed partitions that is never applied.
Caught by: sensitivity.
"""

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT
from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class EveryScoreKept(Steps):
    """Declares K and ignores it."""

    def share(self, record: Record) -> list[int]:
        """phi with m in place of K."""
        return kernel.contribution(self.scores(record), self.width, MASS_UNIT)


subject = EveryScoreKept
