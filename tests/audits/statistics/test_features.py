"""Features show what they should and hide what they must."""

import numpy as np
import pytest

from dpspin_audits.draws import Draws
from dpspin_audits.statistics.features import (
    HIGHEST_BIT,
    LOWEST_BIT,
    bit_cell_count,
    bit_cells,
    lowest_bit,
    plan_features,
    see,
)

PLANS = Draws(np.array([[3, 0], [1, 3], [2, -1], [-1, -1]]), np.array([[5.0, 2.0], [4.5, 4.0], [7.0, 0.0], [0.0, 0.0]]))


def test_probed_atoms_are_looked_up_in_every_plan():
    seen = see(PLANS, (3, 0))
    assert seen.mass.tolist() == [[5, 2], [4, 4], [7, 7], [0, 0]]  # not admitted: the lowest released mass
    assert seen.admitted.tolist() == [[True, True], [True, False], [False, False], [False, False]]
    assert seen.order.tolist() == [[0, 1], [1, 2], [2, 2], [2, 2]]
    assert seen.released.tolist() == [True, True, True, False]
    assert seen.plans is PLANS.atoms


def test_rounding_hides_low_order_bits_from_the_ideal_verdict():
    fine = PLANS._replace(masses=PLANS.masses + 2.0**-40)
    assert np.array_equal(see(PLANS, (3,), 2.0**-10).mass, see(fine, (3,), 2.0**-10).mass)
    assert not np.array_equal(see(PLANS, (3,)).mass, see(fine, (3,)).mass)


def test_a_crash_is_a_feature():
    rows = plan_features(see(PLANS, (3, 0)), np.zeros(2), 1.0)
    assert rows.shape == (4, 9)
    assert rows[:, -1].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("value", "exponent"),
    [(1.0, 0), (-6.0, 1), (0.75, -2), (2.0**-20, -20), (3 * 2.0**-60, -60), (0.1, -55), (0.0, HIGHEST_BIT),
     (2.0**-200, LOWEST_BIT), (2.0**30, HIGHEST_BIT)],
)  # fmt: skip
def test_the_lowest_set_bit_is_the_largest_power_of_two_that_divides(value, exponent):
    assert lowest_bit(np.array([value])).tolist() == [exponent]


def test_cells_cross_bits_with_sizes_and_keep_absence_apart():
    edges = np.array([[4.0], [6.0]])
    cells = bit_cells(see(PLANS, (3,)), edges)[:, 0]
    assert len(set(cells.tolist())) == 4  # two admitted values, an absence among large masses, and a crash
    assert cells.max() < bit_cell_count(edges)
