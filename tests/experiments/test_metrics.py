import numpy as np
import pytest

from dpspin.adjacency import MASS_UNIT
from dpspin.curator.full_sketch import Samples
from dpspin_experiments.metrics import boundary_gap, full_errors, losses, plan_utility, selected_errors

SKETCH = [5 * MASS_UNIT, 3 * MASS_UNIT, 3 * MASS_UNIT, MASS_UNIT, 0]


@pytest.mark.parametrize(
    ("admitted", "expected"),
    [
        ([0, 1], (1.0, 1.0, 0.0)),
        ([1, 0], (1.0, 1.0, 0.0)),  # order is no matter
        ([0, 2], (0.5, 1.0, 0.0)),  # atoms 1 and 2 tie: the lower is the top, and no mass is lost
        ([3, 4], (0.0, 1 / 8, 7.0)),
    ],
)
def test_plan_utility_by_hand(admitted, expected):
    assert plan_utility(SKETCH, admitted, 2) == expected


def test_nothing_to_retain():
    assert plan_utility([0, 0, 0], [1, 2], 2) == (0.5, None, 0.0)


def test_a_plan_larger_than_the_universe():
    assert plan_utility([MASS_UNIT, 0], [1, 0], 10) == (1.0, 1.0, 0.0)


def test_errors_are_taken_before_clipping():
    noise = [-3 * MASS_UNIT, 4 * MASS_UNIT, 0, 0, 0]
    assert full_errors(noise) == (4.0, 7.0, 5.0)
    assert selected_errors(SKETCH, [0, 4], [SKETCH[0] + noise[1], noise[0]]) == (4.0, 7.0, 5.0)
    assert full_errors([]) == (0.0, 0.0, 0.0)


def test_losses_of_many_plans_are_those_of_each():
    rows = np.array([[0, 1], [0, 2], [3, 4], [4, 0]], np.int32)
    samples = Samples(rows, np.zeros((4, 2), np.int64))
    assert losses(SKETCH, samples, 2).tolist() == [plan_utility(SKETCH, list(row), 2).loss for row in rows]


def test_the_gap_at_the_boundary():
    assert [boundary_gap(SKETCH, size) for size in (1, 2, 3, 4, 5, 6)] == [2.0, 0.0, 2.0, 1.0, 0.0, 0.0]
