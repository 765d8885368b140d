"""What is asked of diffprivlib."""

import numpy as np
from diffprivlib import mechanisms
from diffprivlib.models.linear_regression import _construct_regression_obj
from diffprivlib.utils import check_random_state
from worker import serve


def noisy(mechanism, values, runs=1, **terms):
    """Values with the noise of a mechanism, [runs, len(values)]."""
    made = getattr(mechanisms, mechanism)(**terms)
    return np.array([[made.randomise(value) for value in values] for _ in range(runs)])


def chosen(mechanism, utility, runs, **terms):
    """Positions, [runs, 1]."""
    made = getattr(mechanisms, mechanism)(utility=utility, **terms)
    return np.array([[made.randomise()] for _ in range(runs)])


def regression_coefficient(x, epsilon, lower, upper, runs):
    """Released sums of squares of one column, [runs, 1]: what the objective of a linear regression is made of."""
    ends, nothing = (np.array([lower], float), np.array([upper], float)), (np.zeros(1), np.zeros(1))
    rows = np.array(x, float).reshape(-1, 1), np.zeros((len(x), 1))
    state = check_random_state(None)
    drawn = [_construct_regression_obj(*rows, ends, nothing, epsilon, 0, state)[1] for _ in range(runs)]
    return np.array([[coefficients[2][0, 0]] for coefficients in drawn])


serve({"noisy": noisy, "chosen": chosen, "regression_coefficient": regression_coefficient})
