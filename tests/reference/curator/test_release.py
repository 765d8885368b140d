"""The core call adds noise drawn before the data, admits, and does nothing else."""

import numpy as np
import pytest

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT
from dpspin.curator import release as core
from dpspin.curator.full_sketch import admit, draw
from dpspin.curator.noise import SeededBits, SystemBits, Tape
from dpspin.errors import ImpossibleError

SKETCH = [5 * MASS_UNIT, 0, 9 * MASS_UNIT, 1, 7 * MASS_UNIT]


def release(deployment, sketch, runs=1, rigorous=True, seed=b"r"):
    return core.release(sketch, deployment, SeededBits(seed), runs, rigorous=rigorous)


def test_a_release_is_admission_of_drawn_noise(demo):
    noise = draw(demo, 5, SeededBits(b"r"), 20, rigorous=True)
    wanted = admit(SKETCH, noise, demo.plan.size)
    for rigorous in (True, False):
        found = release(demo, SKETCH, 20, rigorous)
        assert np.array_equal(found.atoms, wanted.atoms)
        assert np.array_equal(found.masses, wanted.masses)
    for row in range(20):
        noisy = [mass + int(more) for mass, more in zip(SKETCH, noise[row], strict=True)]
        assert found.atoms[row].tolist() == kernel.highest(noisy, 3)


def test_noise_does_not_depend_on_the_data(demo):
    rows = [release(demo, [at * MASS_UNIT * 1000 for at in order], 4) for order in ([5, 4, 3, 2, 1], [1, 2, 3, 4, 5])]
    noises = []
    for samples, order in zip(rows, ([5, 4, 3, 2, 1], [1, 2, 3, 4, 5]), strict=True):
        exact = np.asarray(order)[samples.atoms] * MASS_UNIT * 1000
        full = np.zeros((4, 5), np.int64)
        np.put_along_axis(full, samples.atoms.astype(np.int64), samples.masses - exact, axis=1)
        noises.append(full)
    assert (noises[0] == noises[1])[:, 2].all()  # atom 2 is admitted on both sides, with the same noise


@pytest.mark.parametrize(("width", "admitted"), [(1, 1), (2, 2), (3, 3), (4, 3)])
def test_every_sketch_has_a_plan_of_l_atoms_or_of_all(demo, width, admitted):
    samples = release(demo, [0] * width, 6)
    assert samples.atoms.shape == samples.masses.shape == (6, admitted)
    assert (samples.atoms.dtype, samples.masses.dtype) == (np.int32, np.int64)
    assert all(len(set(row)) == admitted for row in samples.atoms.tolist())


def test_one_word_a_draw_is_taken_before_anything_else(demo):
    tape = Tape(np.zeros(5, np.uint64))
    samples = core.release(SKETCH, demo, tape)
    assert samples.masses.tolist() == [[9 * MASS_UNIT, 7 * MASS_UNIT, 5 * MASS_UNIT]]  # U = 0 is no noise
    with pytest.raises(ImpossibleError):
        tape.words(1)
    with pytest.raises(ImpossibleError):
        core.release(SKETCH, demo, Tape(np.zeros(4, np.uint64)))


def test_runs_are_independent_and_system_bits_are_fresh(demo):
    rows = release(demo, SKETCH, 50).masses
    assert len({tuple(row) for row in rows.tolist()}) == 50
    first, second = (core.release(SKETCH, demo, SystemBits()).masses for _ in range(2))
    assert not np.array_equal(first, second)  # equal by chance with probability below 1e-18
