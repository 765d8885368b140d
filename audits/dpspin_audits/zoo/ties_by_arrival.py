"""Fault: atoms of equal mass stand in the order in which the records first touched them.

Stands for: spec.md section 8, row 15; a stable sort over a dictionary that was filled by the data.
Caught by: noninterference, locality.
"""

from typing import Any

import numpy as np

from dpspin.curator.full_sketch import Samples
from dpspin_audits.subject import NoiseSource, Records
from dpspin_audits.zoo.steps import Steps


class TiesByArrival(Steps):
    """Sorts what it found, as it found it."""

    _arrived: tuple[int, ...] = ()

    def sketch(self, records: Records) -> list[int]:
        """The exact sketch; remembers the order of atoms."""
        touched = [atom for record in records for atom, part in enumerate(self.share(record)) if part]
        self._arrived = tuple(dict.fromkeys((*touched, *range(self.width))))
        return super().sketch(records)

    def injected(self, exact: list[int], noise: NoiseSource) -> Any:
        """One plan, ties broken by arrival."""
        found = super().injected([exact[atom] for atom in self._arrived], noise)
        return Samples(np.asarray(self._arrived)[found.atoms], found.masses)


subject = TiesByArrival
