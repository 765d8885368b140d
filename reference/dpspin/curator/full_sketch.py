"""Full-sketch release: noise on every atom, then the L highest (paper sections 5.4 and 5.5)."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin.curator.noise import Integers
from dpspin.errors import ImpossibleError


class Samples(NamedTuple):
    """Released plans, one a row: atoms in order of descending noisy mass, and their masses in lattice units."""

    atoms: npt.NDArray[np.int32]
    """int32[runs, L]."""
    masses: npt.NDArray[np.int64]
    """int64[runs, L]."""


def admit(sketch: list[int], noise: Integers, plan_size: int) -> Samples:
    """Add the noise and keep the L highest atoms of each row; the lower index wins a tie.

    This batched form of `kernel.highest` is the only second implementation of a kernel function (tested equal).

    Args:
        sketch: exact mass of every atom, lattice units.
        noise: int64[runs, universe_size].
        plan_size: L; all atoms are kept where the universe is smaller.

    Raises:
        ImpossibleError: when a mass is not an integer; numpy would cut its fraction off.
    """
    if not all(type(mass) is int for mass in sketch):
        raise ImpossibleError("a mass is not an integer")
    noisy = np.asarray(sketch, np.int64) + noise
    order = np.argsort(-noisy, axis=1, kind="stable")[:, :plan_size]
    return Samples(order.astype(np.int32), np.take_along_axis(noisy, order, axis=1))
