"""The laws of the noise that mechanisms state, as functions of whole arrays, without cancellation in either tail."""

from dataclasses import dataclass
from math import log, pi

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LaplaceLaw:
    """Laplace noise."""

    scale: float
    """b in units of mass."""

    def log_density(self, x: Floats) -> Floats:
        """Log of the density at x (units of mass)."""
        return np.asarray(-np.abs(x) / self.scale - log(2 * self.scale))

    def log_below(self, x: Floats) -> Floats:
        """Log of P(X <= x)."""
        t = x / self.scale
        return np.where(t < 0, np.minimum(t, 0) - log(2), np.log1p(-np.exp(-np.maximum(t, 0)) / 2))


@dataclass(frozen=True, slots=True)
class GaussianLaw:
    """Gaussian noise."""

    scale: float
    """sigma in units of mass."""

    def log_density(self, x: Floats) -> Floats:
        """Log of the density at x (units of mass)."""
        return np.asarray(-((x / self.scale) ** 2) / 2 - log(2 * pi * self.scale**2) / 2)

    def log_below(self, x: Floats) -> Floats:
        """Log of P(X <= x)."""
        return np.asarray(log_ndtr(x / self.scale))


Law = LaplaceLaw | GaussianLaw
