"""Sparse release: L different atoms, values of theirs alone, and no trace of the order of admission."""

from fractions import Fraction

import numpy as np

from dpspin import kernel
from dpspin.curator.admission import admit_by_peeling
from dpspin.curator.noise import SeededBits
from dpspin.curator.peeling import peel

SKETCH = [50, 10**7, 3, 10**7, 2 * 10**7, 0]
SHARP, FLAT = Fraction(1, 1000), Fraction(1, 10**9)


def admitted(exponent, noise, *, seed=b"a", rigorous=False):
    return admit_by_peeling(SKETCH, exponent, noise, SeededBits(seed), rigorous=rigorous)


def test_a_sharp_exponent_admits_the_highest_and_a_flat_one_anything():
    sharp = admitted(SHARP, np.zeros((200, 3), np.int64))
    assert {tuple(row) for row in sharp.atoms} == {(4, 1, 3)}
    assert sharp.masses.tolist() == [[SKETCH[4], SKETCH[1], SKETCH[3]]] * 200
    flat = admitted(FLAT, np.zeros((400, 3), np.int64))
    assert set(flat.atoms.ravel().tolist()) == set(range(6))


def test_rows_hold_different_atoms_in_the_order_of_what_is_released():
    noise = np.random.default_rng(5).integers(-(2**24), 2**24, (500, 4))
    samples = admitted(FLAT, noise)
    assert samples.atoms.dtype == np.int32
    assert samples.masses.dtype == np.int64
    for atoms, masses in zip(samples.atoms.tolist(), samples.masses.tolist(), strict=True):
        assert len(set(atoms)) == 4
        by_index = sorted(zip(atoms, masses, strict=True))
        order = kernel.highest([mass for _, mass in by_index], 4)
        assert [by_index[at] for at in order] == list(zip(atoms, masses, strict=True))


def test_each_value_is_its_own_atoms_mass_plus_one_of_the_rows_noises():
    noise = np.array([[1, 10, 100]] * 50)
    samples = admitted(FLAT, noise)
    for atoms, masses in zip(samples.atoms, samples.masses, strict=True):
        assert sorted(mass - SKETCH[atom] for atom, mass in zip(atoms, masses, strict=True)) == [1, 10, 100]


def test_noise_does_not_follow_the_order_of_admission():
    """Noise is paired with atoms by index, so the released set with values says nothing of the order of rounds."""
    noise = np.array([[7, 8, 9]] * 100)
    samples = admitted(FLAT, noise)
    for atoms, masses in zip(samples.atoms, samples.masses, strict=True):
        pairs = sorted((atom, mass - SKETCH[atom]) for atom, mass in zip(atoms.tolist(), masses.tolist(), strict=True))
        assert [extra for _, extra in pairs] == [7, 8, 9]


def test_the_rigorous_path_gives_the_same_rows():
    noise = np.random.default_rng(6).integers(-(2**20), 2**20, (60, 3))
    fast, slow = (admitted(Fraction(1, 10**7), noise, rigorous=rigorous) for rigorous in (False, True))
    assert np.array_equal(fast.atoms, slow.atoms)
    assert np.array_equal(fast.masses, slow.masses)


def test_the_admitted_set_is_the_peeled_one():
    rows = peel(SKETCH, FLAT, (40, 3), SeededBits(b"a"), rigorous=False)
    samples = admitted(FLAT, np.zeros((40, 3), np.int64))
    assert [sorted(row) for row in rows.tolist()] == [sorted(row) for row in samples.atoms.tolist()]
