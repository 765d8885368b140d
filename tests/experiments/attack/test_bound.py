"""The bound on attribute inference: against a linear program over all mechanisms, and closed forms."""

from fractions import Fraction
from itertools import permutations
from math import exp

import numpy as np
import pytest
from scipy.optimize import linprog

from dpspin.errors import UsageError
from dpspin_audits.statistics.bounds import rate_allowed
from dpspin_experiments.attack.bound import success_at_most, under_replacement


def best_of_all(epsilon, delta, values):
    """The largest success over all guess probabilities p(a | b) that (epsilon, delta) allows, guess by guess."""
    size = values * values
    objective, sums, limits = np.zeros(size), np.zeros((values, size)), []
    for a in range(values):
        objective[a * values + a] = -1 / values
        sums[a, a::values] = 1  # p(. | a) adds up to 1
    for a, b in permutations(range(values), 2):
        for guess in range(values):
            row = np.zeros(size)
            row[guess * values + a], row[guess * values + b] = 1, -exp(epsilon)
            limits.append(row)
    found = linprog(objective, limits, [delta] * len(limits), sums, [1] * values, bounds=(0, 1))
    return -found.fun


@pytest.mark.parametrize("values", [2, 3, 5])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 0), (1, 0), (2, 0.01), (0.5, 0.2)])
def test_no_mechanism_does_better_and_some_does_as_well(epsilon, delta, values):
    assert success_at_most(epsilon, delta, values) == pytest.approx(best_of_all(epsilon, delta, values), abs=1e-7)


def test_for_two_values_it_is_the_bound_that_audits_use():
    for epsilon, delta in ((0, 0), (1, 0), (3, 1e-5), (900, 0)):
        assert success_at_most(epsilon, delta) == pytest.approx(rate_allowed(epsilon, delta), abs=1e-15)
    assert success_at_most(0) == 0.5
    assert success_at_most(1) == pytest.approx(0.7310585786300049, abs=1e-15)
    assert success_at_most(0, 0.9, 3) == pytest.approx((1 + 2 * 0.9) / 3)
    assert success_at_most(0, 1.5) == 1


@pytest.mark.parametrize("wrong", [(1, 0, 1), (-1, 0, 2), (1, -0.1, 2)])
def test_numbers_without_a_bound_are_refused(wrong):
    with pytest.raises(UsageError, match="no bound"):
        success_at_most(*wrong)


def test_a_claim_under_add_and_drop_counts_twice(setting):
    assert under_replacement(setting.deployment) == (2, 0)
    assert under_replacement(setting.deployment.model_copy(update={"adjacency": "replacement"})) == (Fraction(1), 0)
