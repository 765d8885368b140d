"""The least noise of admission and Gaussian values together: one split of epsilon, scaled by one common factor.

The split gives admission a share of epsilon and the values the rest.  Composed, it keeps the claim as it is; closer
accounting allows exponent and sigma a factor below 1.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf, nextafter

from dpspin.accounting import admission, zcdp
from dpspin.accounting.admission import Admission
from dpspin.accounting.gaussian import analytic_sigma
from dpspin.accounting.search import falling_root, least_decimal
from dpspin.accounting.value_loss import GaussianLoss
from dpspin.adjacency import Adjacency, sensitivity
from dpspin.errors import UsageError

MOST_ATOMS = 2**53
GRID = Fraction(1, 10**6)
"""Factors are multiples of this."""


@dataclass(frozen=True, slots=True)
class PeelingClaim:
    """A loss that admission with Gaussian values is to keep to, and how a simple split shares it out."""

    adjacency: Adjacency
    mass_bound: Fraction
    """B, the most mass of one unit."""
    plan_size: int
    """L; all atoms are admitted where there are fewer."""
    universe_size: int
    """m."""
    selection_share: Fraction
    """Of epsilon, for admission."""
    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        """Refuse what is no claim."""
        if self.mass_bound <= 0 or self.epsilon <= 0:
            raise UsageError("epsilon, mass-bound", "one is not positive", "write positive numbers")
        if not (0 < self.delta < 1 and 0 < self.selection_share < 1):
            raise UsageError("delta, selection-share", "one is not between 0 and 1", "write such as 1e-6 and 1/2")
        if not (self.plan_size >= 1 and 1 <= self.universe_size < MOST_ATOMS):
            raise UsageError("plan-size, universe-size", "one is not positive, or huge", "write numbers of atoms")

    @property
    def rounds(self) -> int:
        """Rounds that reveal something: L, or 0 where every atom is admitted."""
        return self.plan_size if self.plan_size < self.universe_size else 0

    def split(self) -> "Split":
        """The noise that keeps the claim by composition: exponent for the share, sigma for the rest."""
        admitted = min(self.plan_size, self.universe_size)
        moved = sensitivity(self.adjacency, self.mass_bound, admitted)
        per_round = self.selection_share * self.epsilon / (admitted + (self.adjacency == "replacement"))
        sigma = analytic_sigma((1 - self.selection_share) * self.epsilon, self.delta, moved.l2_squared)
        return Split(self.adjacency, self.rounds, per_round, sigma, moved.l2_squared)


@dataclass(frozen=True, slots=True)
class Split:
    """Exponent and sigma that keep a claim by composition, in units of mass."""

    adjacency: Adjacency
    rounds: int
    """L, 0 where every atom is admitted."""
    per_round: Fraction
    """a = eta B, positive."""
    sigma: float
    l2_squared: Fraction
    """Delta_2 squared of the values."""

    def sigma_at(self, factor: Fraction) -> float:
        """factor * sigma, rounded up to binary64."""
        exact = factor * Fraction(self.sigma)
        near = float(exact)
        return near if near >= exact else nextafter(near, inf)

    def at(self, factor: Fraction) -> Admission:
        """Admission and values when both scales, 1 / eta and sigma, are multiplied by a factor."""
        ratio = self.l2_squared / Fraction(self.sigma_at(factor)) ** 2
        return Admission(self.adjacency, self.rounds, self.per_round / factor, GaussianLoss(ratio))

    def rho_at(self, factor: Fraction) -> Fraction:
        """The same as zero-concentrated privacy."""
        ratio = self.l2_squared / Fraction(self.sigma_at(factor)) ** 2
        return zcdp.rho_of_peeling(self.adjacency, self.rounds, self.per_round / factor, ratio)


@lru_cache(256)
def least_factor(split: Split, epsilon: Fraction, delta: Fraction) -> Fraction:
    """The least factor, a multiple of GRID, whose cost is certified to be at most (epsilon, delta).

    The closed form and zero-concentrated composition certify it, or composition the factor 1.  The bounded-range
    lattice is not asked: it takes a second, and saves less than one percent where it saves anything (L <= 2).
    """
    found = [Fraction(1)]
    found.append(_least_by_concentration(split, epsilon, delta))
    with suppress(UsageError):  # too many rounds, or numbers that no 4096 bits decide
        found.append(least_by_closed_form(split, epsilon, delta))
    return min(found)


def least_by_closed_form(split: Split, epsilon: Fraction, delta: Fraction) -> Fraction:
    """The least factor up to 1 that the closed form certifies.

    Raises:
        UsageError: for more rounds or more extreme numbers than it decides, or where it certifies none.
    """
    found = _least(
        lambda x: admission.log_ratio(split.at(Fraction(x)), epsilon, delta),
        lambda x: admission.meets(split.at(x), epsilon, delta),
    )
    if found == 1 and not admission.meets(split.at(found), epsilon, delta):
        raise UsageError("private_top_l", "the closed form certifies no factor up to 1", "rely on composition")
    return found


def _least_by_concentration(split: Split, epsilon: Fraction, delta: Fraction) -> Fraction:
    return _least(
        lambda x: zcdp.log_ratio(split.rho_at(Fraction(x)), epsilon, delta),
        lambda x: zcdp.meets(split.rho_at(x), epsilon, delta),
    )


def _least(excess: Callable[[float], float], meets: Callable[[Fraction], bool]) -> Fraction:
    """The least factor that meets a claim; 1 where no smaller one does, which composition certifies."""
    near = falling_root(lambda x: excess(x) if x < 1 else -1.0, 0.7)
    return least_decimal(lambda x: x >= 1 or meets(x), near, GRID)
