"""What is asked of tmlt.core."""

import numpy as np
from tmlt.core.domains.numpy_domains import NumpyFloatDomain
from tmlt.core.measurements import noise_mechanisms
from worker import serve


def laplace(values, scale, runs=1):
    """Floats with Laplace noise, [runs, len(values)]."""
    made = noise_mechanisms.AddLaplaceNoise(NumpyFloatDomain(), scale=scale)
    return np.array([[made(np.float64(value)) for value in values] for _ in range(runs)])


def geometric(values, alpha, runs=1):
    """Integers with discrete Laplace noise, P(x) ~ exp(-|x| / alpha), [runs, len(values)]."""
    return _whole(noise_mechanisms.AddGeometricNoise(alpha=alpha), values, runs)


def discrete_gaussian(values, sigma_squared, runs=1):
    """Integers with discrete Gaussian noise, [runs, len(values)]."""
    return _whole(noise_mechanisms.AddDiscreteGaussianNoise(sigma_squared=sigma_squared), values, runs)


def _whole(made, values, runs):
    return np.array([[int(made(np.int64(value))) for value in values] for _ in range(runs)])


serve({"laplace": laplace, "geometric": geometric, "discrete_gaussian": discrete_gaussian})
