"""How far one protected unit can move the sketch: the sensitivities of Propositions 5.1 to 5.3, exact.

All values are in units of mass.  K, the number of atoms a record may name, does not enter.
"""

from fractions import Fraction
from typing import Literal, NamedTuple

Unit = Literal["record", "user"]
Adjacency = Literal["add_drop", "replacement"]

MASS_UNIT = 2**20
"""Lattice units in one unit of mass (spec.md section 1): every protected value is an integer number of them."""
LARGEST_SCALE = 2**40
"""Largest scale of noise in lattice units: draws then stay below 2^50 with 63 revealed bits, exact in float64."""


class Sensitivity(NamedTuple):
    """Bounds on the difference d of two sketches of adjacent corpora; each is attained (spec.md section 2)."""

    l1: Fraction
    """Delta_1: the largest sum of absolute differences."""
    l2_squared: Fraction
    """Delta_2 squared, because sqrt(2) B has no exact value."""
    coordinate: Fraction
    """Delta_coord: the largest absolute difference of one atom."""
    spread: Fraction
    """R: the largest max(d) - min(d)."""


def sensitivity(adjacency: Adjacency, mass_bound: Fraction, universe_size: int) -> Sensitivity:
    """Sensitivity of the sketch to one unit whose contribution is nonnegative with total at most `mass_bound`.

    Adding or dropping a unit moves the sketch by one contribution; replacing it moves the sketch by the difference of
    two.  With a single atom two contributions cannot lie on different atoms, and the bounds fall accordingly.
    """
    bound = mass_bound
    if adjacency == "add_drop":
        return Sensitivity(bound, bound**2, bound, bound if universe_size > 1 else Fraction(0))
    if universe_size == 1:
        return Sensitivity(bound, bound**2, bound, Fraction(0))
    return Sensitivity(2 * bound, 2 * bound**2, bound, 2 * bound)
