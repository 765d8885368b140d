"""The white-box score of a release of the full sketch: the exact log-likelihood ratio of what the claim states.

Any fixed score is valid for any subject; this one is the most powerful where the subject does what it claims.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpspin_audits.statistics.features import Seen
from dpspin_audits.statistics.laws import Law

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FullSketchScore:
    """log P(output | with) - log P(output | without) for independent noise and an admitted set of the highest.

    An admitted atom contributes the ratio of two densities; an atom left out contributes the ratio of two distribution
    functions at the lowest released mass.
    """

    before: Sequence[float]
    """Exact masses of the probed atoms without the unit, in units of mass."""
    after: Sequence[float]
    """The same with the unit."""
    law: Law

    def __call__(self, seen: Seen) -> Floats:
        """Scores, float64[runs]; zero for a run that released nothing."""
        old, new = (seen.mass - np.asarray(centre) for centre in (self.before, self.after))
        density = self.law.log_density(new) - self.law.log_density(old)
        left_out = self.law.log_below(new) - self.law.log_below(old)
        return np.asarray(np.where(seen.admitted, density, left_out).sum(axis=1) * seen.released)
