"""Features show what they should and hide what they must."""

import numpy as np
import pytest

from dpspin_audits.draws import Draws
from dpspin_audits.statistics.features import (
    HIGHEST_BIT,
    LOWEST_BIT,
    Grid,
    bit_cell_count,
    bit_cells,
    drawn,
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
    assert np.array_equal(seen.plans, PLANS.atoms)


def test_rounding_hides_low_order_bits_from_the_ideal_verdict():
    fine = PLANS._replace(masses=PLANS.masses + 2.0**-40)
    assert np.array_equal(see(PLANS, (3,), 2.0**-10).mass, see(fine, (3,), 2.0**-10).mass)
    assert not np.array_equal(see(PLANS, (3,)).mass, see(fine, (3,)).mass)


def test_a_crash_is_a_feature():
    rows = plan_features(see(PLANS, (3, 0)), np.zeros(2), 1.0)
    assert rows.shape == (4, 10)
    assert rows[:, -1].tolist() == [0, 0, 0, 1]


def test_how_many_atoms_a_plan_has_is_a_feature():
    assert plan_features(see(PLANS, (3, 0)), np.zeros(2), 1.0)[:, -2].tolist() == [2, 2, 1, 0]


@pytest.mark.parametrize(
    ("value", "exponent"),
    [(1.0, 0), (-6.0, 1), (0.75, -2), (2.0**-20, -20), (3 * 2.0**-60, -60), (0.1, -55), (0.0, HIGHEST_BIT),
     (2.0**-200, LOWEST_BIT), (2.0**30, HIGHEST_BIT)],
)  # fmt: skip
def test_the_lowest_set_bit_is_the_largest_power_of_two_that_divides(value, exponent):
    assert lowest_bit(np.array([value])).tolist() == [exponent]


def test_cells_cross_bits_with_sizes_and_keep_absence_apart():
    grid = Grid(np.array([[4.0], [6.0]]))
    cells = bit_cells(see(PLANS, (3,)), grid)[:, 0]
    assert len(set(cells.tolist())) == 4  # two admitted values, an absence among large masses, and a crash
    assert cells.max() < bit_cell_count(grid)


@pytest.mark.parametrize("scale", [1.0, 0.4])
def test_what_the_textbook_sampler_can_give_depends_on_what_it_was_added_to(scale):
    """numpy draws by the logarithm of a uniform on a grid; doubles that it reaches from 0 it mostly cannot from 1."""
    noise = np.random.default_rng(5).laplace(0, scale, 20_000)
    noise = noise[np.abs(noise) > 0.3]
    for centre, other in ((0.0, 1.0), (1.0, 0.0)):
        assert drawn(centre + noise, centre, scale).mean() > 0.99
        assert drawn(other + noise, centre, scale).mean() < 0.6


def test_noise_by_another_algorithm_is_not_taken_for_the_textbook_one():
    noise = np.random.default_rng(6).normal(0, 1.0, 20_000)
    assert drawn(noise[np.abs(noise) > 0.3], 0.0, 1.0).mean() < 0.6


def test_cells_tell_what_either_mass_could_give():
    value = np.random.default_rng(7).laplace(0, 1.0, 4000)
    plans = Draws(np.zeros((4000, 1), np.int64), value[:, None])
    grid = Grid(np.zeros((0, 1)), (np.array([0.0]), np.array([1.0])), 1.0)
    codes = np.bincount(bit_cells(see(plans, (0,)), grid)[:, 0] % 4, minlength=4)
    assert codes[2:].sum() > 0.99 * 4000  # within reach of 0, often out of reach of 1
    assert codes[2] > 1000
