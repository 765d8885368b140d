"""The batched admission is the kernel's, row by row; noise is drawn in lattice units and needs no data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin import kernel
from dpspin.curator.full_sketch import Samples, admit
from dpspin.errors import ImpossibleError

MASSES = st.integers(-3, 3) | st.integers(-(2**60), 2**60) | st.sampled_from([2**53, 2**53 + 1, 2**53 - 1])


@st.composite
def cases(draw_one):
    """A sketch, a few rows of noise, and L from 1 to beyond m."""
    width = draw_one(st.integers(1, 6))
    rows = st.lists(st.lists(MASSES, min_size=width, max_size=width), min_size=1, max_size=4)
    return draw_one(st.lists(MASSES, min_size=width, max_size=width)), draw_one(rows), draw_one(st.integers(1, 8))


def check_admission(admission, sketch, noise, size):
    """Against kernel.highest on Python integers."""
    samples = admission(sketch, np.asarray(noise, np.int64), size)
    wide = min(size, len(sketch))
    assert samples.atoms.shape == samples.masses.shape == (len(noise), wide)
    assert (samples.atoms.dtype, samples.masses.dtype) == (np.int32, np.int64)
    for row, drawn in enumerate(noise):
        noisy = [mass + more for mass, more in zip(sketch, drawn, strict=True)]
        order = kernel.highest(noisy, size)
        assert samples.atoms[row].tolist() == order
        assert samples.masses[row].tolist() == [noisy[atom] for atom in order]


@given(cases())
def test_admission_is_the_kernels_row_by_row(case):
    check_admission(admit, *case)


def test_large_masses_are_told_apart_and_ties_go_to_the_lower_index():
    sketch = [2**53, 2**53 + 1, 2**53 + 1, 2**53 - 1]
    check_admission(admit, sketch, [[0] * 4, [1, 0, 0, 2], [-(2**53)] * 4], 3)
    assert admit(sketch, np.zeros((1, 4), np.int64), 9).atoms.tolist() == [[1, 2, 0, 3]]


def _reversed(sketch, noise, size):
    noisy = np.asarray(sketch, np.int64) + noise
    order = np.argsort(noisy, axis=1, kind="stable")[:, ::-1][:, :size]
    return Samples(order.astype(np.int32), np.take_along_axis(noisy, order, axis=1))


def _through_floats(sketch, noise, size):
    noisy = np.asarray(sketch, np.int64) + noise
    order = np.argsort(-noisy.astype(float), axis=1, kind="stable")[:, :size]
    return Samples(order.astype(np.int32), np.take_along_axis(noisy, order, axis=1))


def _noiseless_choice(sketch, noise, size):
    order = np.tile(kernel.highest(sketch, size), (len(noise), 1))
    return Samples(order.astype(np.int32), np.take_along_axis(np.asarray(sketch, np.int64) + noise, order, axis=1))


@pytest.mark.parametrize("faulty", [_reversed, _through_floats, _noiseless_choice])
def test_a_faulty_admission_is_caught(faulty):
    with pytest.raises(AssertionError):
        check_admission(faulty, [2**53, 2**53 + 1, 5, 5], [[0, 0, 0, 0], [0, 0, 2**54, 2**54]], 3)


def test_an_empty_sketch_and_a_single_atom_have_plans():
    check_admission(admit, [0], [[-5], [0], [7]], 4)
    check_admission(admit, [0] * 5, [[-1, -1, 0, 3, 0]], 5)


@pytest.mark.parametrize("mass", [1.0, 1.5, np.int64(1), True, "1"])
def test_anything_but_integers_is_refused(mass):
    with pytest.raises(ImpossibleError, match="not an integer"):
        admit([1, mass], np.zeros((1, 2), np.int64), 1)
