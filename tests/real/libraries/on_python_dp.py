"""What is asked of python-dp."""

import numpy as np
from pydp.algorithms import laplacian, numerical_mechanisms
from worker import serve


def laplace(values, epsilon, runs=1):
    """Values with Laplace noise for a sensitivity of 1, [runs, len(values)]."""
    return _noisy(numerical_mechanisms.LaplaceMechanism(epsilon, 1.0), values, runs)


def gaussian(values, epsilon, delta, runs=1):
    """Values with Gaussian noise for a sensitivity of 1, [runs, len(values)]."""
    return _noisy(numerical_mechanisms.GaussianMechanism(epsilon, delta, 1.0), values, runs)


def _noisy(mechanism, values, runs):
    return np.array([[mechanism.add_noise(float(value)) for value in values] for _ in range(runs)])


def aggregate(kind, values, runs, **terms):
    """Released counts, sums or means of one list of values, [runs, 1]."""
    made = getattr(laplacian, kind)(**terms)
    return np.array([[made.quick_result(values)] for _ in range(runs)], np.float64)


serve({"laplace": laplace, "gaussian": gaussian, "aggregate": aggregate})
