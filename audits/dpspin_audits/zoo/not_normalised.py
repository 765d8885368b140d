"""Fault: every atom that a record touches gets a whole unit, so that a record on K atoms moves the sums by K."""

from dpspin.adjacency import MASS_UNIT
from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class NotNormalised(Steps):
    """Bounds the number of atoms and forgets the mass."""

    def contribution(self, record: Record) -> list[int]:
        """A unit for every atom touched."""
        return [MASS_UNIT * (share > 0) for share in super().contribution(record)]


subject = NotNormalised
