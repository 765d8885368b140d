"""What a subject samples is taken bit for bit, or refused."""

import numpy as np
import pytest

from dpspin.errors import SubjectError
from dpspin_audits.draws import Draws, draws_of, joined


def samples(atoms, masses):
    return Draws(np.asarray(atoms), np.asarray(masses))


def test_lattice_integers_become_units_of_mass_exactly():
    found = draws_of(samples([[1, 0]], [[3 * 2**20 + 1, -5]]), 1, "it")
    assert (found.masses * 2**20).tolist() == [[3 * 2**20 + 1, -5]]


def test_floating_point_masses_keep_every_bit():
    assert draws_of(samples([[0]], [[0.1]]), 1, "it").masses[0, 0].hex() == (0.1).hex()


def test_a_mass_that_is_not_finite_is_an_output_of_its_own():
    found = draws_of(samples([[1, 0], [1, 0]], [[1.0, float("nan")], [1.0, 0.5]]), 2, "it")
    assert found.atoms.tolist() == [[-1, -1], [1, 0]]


@pytest.mark.parametrize(
    "wrong",
    [samples([1], [1]), samples([[1]], [[1, 2]]), samples([[1], [2]], [[1], [2]]), samples([[1.5]], [[1]]),
     samples([[1]], [["x"]]), samples([[1]], [[2**60]]), samples(np.zeros((1, 0)), np.zeros((1, 0))), object()],
)  # fmt: skip
def test_anything_else_breaks_the_protocol(wrong):
    with pytest.raises(SubjectError, match=r"^it: sample returned"):
        draws_of(wrong, 1, "it")


def test_parts_are_rows():
    assert Draws(np.arange(8).reshape(4, 2), np.zeros((4, 2))).part(1, 3).atoms.tolist() == [[2, 3], [4, 5]]


def test_plans_of_several_calls_are_joined_in_rows_as_wide_as_the_widest():
    wide = Draws(np.array([[1, 2, 3]]), np.array([[3.0, 2.0, 1.0]]))
    narrow = Draws(np.array([[4], [5]]), np.array([[7.0], [8.0]]))
    found = joined([narrow, wide])
    assert found.atoms.tolist() == [[4, -1, -1], [5, -1, -1], [1, 2, 3]]
    assert found.masses.tolist() == [[7.0, 0.0, 0.0], [8.0, 0.0, 0.0], [3.0, 2.0, 1.0]]
