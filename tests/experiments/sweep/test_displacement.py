import pytest
from scipy import sparse

from dpspin.adjacency import MASS_UNIT
from dpspin.settings import Exact
from dpspin_experiments.sweep.displacement import displacement


def shares(count, atoms=40):
    """Every unit puts all its mass on one atom."""
    rows = [[MASS_UNIT if atom == unit % atoms else 0 for atom in range(atoms)] for unit in range(count)]
    return sparse.csr_array(rows)


def test_a_fixed_number_moves_twice_as_far_as_add_and_drop_allows():
    found = displacement(shares(200), [f"u{n}" for n in range(200)], Exact("1"))
    assert found == (2, 1, 1)


@pytest.mark.parametrize("bound", ["1/2", "2"])
def test_contributions_are_clipped(bound):
    found = displacement(shares(100), [f"u{n}" for n in range(100)], Exact(bound))
    assert found.hashed == min(float(Exact(bound)), 1)
    assert found.fixed == 2 * found.hashed


def test_nobody_to_drop():
    assert displacement(shares(1), ["u"], Exact("1")).fixed == 0
