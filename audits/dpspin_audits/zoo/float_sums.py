"""Fault: masses are added as a running mean in single precision, so that sums depend on the order of arrival.

Stands for: the re-ordering attacks of Casacuberta et al. 2022; google/differential-privacy #126.
Caught by: locality, sensitivity.
"""

import numpy as np

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class FloatSums(Steps):
    """Updates a mean, unit by unit."""

    def sketch(self, records: Records) -> list[int]:
        """The exact sketch, almost."""
        mean, units = np.zeros(self.width, np.float32), self.units(records)
        for seen, unit in enumerate(units, 1):
            mean += (np.asarray(self.aggregate(unit), np.float32) - mean) / np.float32(seen)
        return [int(mass) for mass in mean * len(units)]


subject = FloatSums
