"""Fault: every atom that a record touches gets a whole unit, so that a record on K atoms moves the sums by K.

Stands for: Eq. (1) of the paper; counts per key without a bound across keys.
Caught by: sensitivity.
"""

from collections.abc import Sequence

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT
from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class NotNormalised(Steps):
    """Bounds the number of atoms and forgets the mass."""

    def aggregate(self, unit: Sequence[Record]) -> list[int]:
        """A unit of mass for every atom that a record touches."""
        return kernel.add([[MASS_UNIT * (part > 0) for part in self.share(record)] for record in unit], self.width)


subject = NotNormalised
