"""Fault: an atom may count against a record, and the negative share cancels in the sum that is bounded.

Stands for: Eq. (1) of the paper, phi(x) in R_+^m; a bound on the sum where one on absolute values is needed.
Caught by: sensitivity.
"""

from collections.abc import Sequence

from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class SignedShares(Steps):
    """Scores sentiment, not support."""

    def aggregate(self, unit: Sequence[Record]) -> list[int]:
        """The unit's mass with the sign of every other atom turned."""
        return [-part if atom % 2 else part for atom, part in enumerate(super().aggregate(unit))]


subject = SignedShares
