"""The white-box score: the exact log-likelihood ratio of a Laplace release that keeps its claim.

Any fixed score is valid for any subject; this one is the most powerful where the subject does what it claims, and
saturates at the claimed loss where its noise is smaller than claimed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpspin_audits.statistics.features import Seen

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LaplaceScore:
    """log P(output | with) - log P(output | without) for independent Laplace noise and an admitted set of the highest.

    An admitted atom contributes the ratio of two densities; an atom left out contributes the ratio of two distribution
    functions at the lowest released mass.
    """

    before: Sequence[float]
    """Exact masses of the probed atoms without the record, in units of mass."""
    after: Sequence[float]
    """The same with the record."""
    scale: float
    """b in units of mass."""

    def __call__(self, seen: Seen) -> Floats:
        """Scores, float64[runs]; zero for a run that released nothing."""
        old, new = (seen.mass - np.asarray(centre) for centre in (self.before, self.after))
        density = (np.abs(old) - np.abs(new)) / self.scale
        left_out = _log_below(new / self.scale) - _log_below(old / self.scale)
        return np.asarray(np.where(seen.admitted, density, left_out).sum(axis=1) * seen.released)


def _log_below(x: Floats) -> Floats:
    """log P(X <= x) of the standard Laplace law, without cancellation in either tail."""
    return np.where(x < 0, np.minimum(x, 0) - np.log(2), np.log1p(-np.exp(-np.maximum(x, 0)) / 2))
