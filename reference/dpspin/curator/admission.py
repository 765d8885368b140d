"""Sparse release: admission by the exponential mechanism, then noisy values (paper section 5.6)."""

from fractions import Fraction

import numpy as np

from dpspin.curator.full_sketch import Samples
from dpspin.curator.noise import Bits, Integers
from dpspin.curator.peeling import peel


def admit_by_peeling(sketch: list[int], exponent: Fraction, noise: Integers, bits: Bits, *, rigorous: bool) -> Samples:
    """Admit L atoms round by round, add value noise to theirs alone, and order them by what is released.

    Args:
        sketch: exact mass of every atom, lattice units.
        exponent: eta, per lattice unit.
        noise: int64[runs, L], drawn before any data are touched.
        bits: source of the rounds' words.
        rigorous: as in `peel`.

    The order of admission is not released: rows are ordered by noisy mass, and the lower index wins a tie.
    """
    return in_order(sketch, peel(sketch, exponent, noise.shape, bits, rigorous=rigorous), noise)


def in_order(sketch: list[int], admitted: Integers, noise: Integers) -> Samples:
    """Noise on the values of admitted atoms, int64[runs, L] both, by ascending atom; then the order of noisy masses."""
    admitted = np.sort(admitted, axis=1)
    noisy = np.asarray(sketch, np.int64)[admitted] + noise
    order = np.argsort(-noisy, axis=1, kind="stable")
    atoms = np.take_along_axis(admitted, order, axis=1)
    return Samples(atoms.astype(np.int32), np.take_along_axis(noisy, order, axis=1))
