"""How a baseline spends its budget: one share for each stage, noise from it, and the total computed from the noise.

One unit contributes to a stage a vector of nonnegative integers.  Adding or dropping the unit moves the stage by that
vector; replacing it moves the stage by the difference of two, whose l1 norm is at most twice as large and whose squared
l2 norm is at most twice as large too, because the inner product of nonnegative vectors is not negative.

Laplace stages: epsilon_i = l1_i / b_i, and losses add (Dwork and Roth 2014, theorem 3.16).  Gaussian stages: releases
with mu_i = l2_i / sigma_i, each chosen after the earlier ones were seen, cost as one with mu^2 = sum of mu_i^2 (Dong,
Roth and Su 2022, corollary 3.3); so a stage with share w of mu^2 takes the sigma of one release of squared sensitivity
l2_i^2 / w at the whole claim.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from dpspin.accounting.gaussian import analytic_sigma, tight_delta
from dpspin.adjacency import Adjacency
from dpspin.curator.noise import Bits, Integers, gaussian, laplace
from dpspin.deployment import Deployment


class Stage(NamedTuple):
    """One query on all units, before replacement is accounted for."""

    name: str
    share: Fraction
    """Part of epsilon, or of mu^2, that it may spend."""
    l1: int
    """Most that one unit contributes, in counts."""
    l2_squared: int
    """Square of the largest l2 norm of a unit's contribution."""


class Budget(NamedTuple):
    """What one release of a baseline may cost."""

    epsilon: Fraction
    delta: Fraction
    """0 for Laplace noise; above 0 for Gaussian noise."""
    adjacency: Adjacency

    def scale(self, stage: Stage) -> Fraction:
        """The scale b of a stage's Laplace noise, or sigma of its Gaussian noise, in counts."""
        l1, l2_squared = moved(stage, self.adjacency)
        if self.delta == 0:
            return l1 / (stage.share * self.epsilon)
        return _sigma(self.epsilon, self.delta, l2_squared / stage.share)

    def draw(self, stage: Stage, shape: tuple[int, ...], bits: Bits, *, rigorous: bool) -> Integers:
        """Noise of a stage, exact in law on the integers (`dpspin.curator.noise`)."""
        law = laplace if self.delta == 0 else gaussian
        return law(self.scale(stage), shape, bits, rigorous=rigorous)

    def total(self, stages: Sequence[Stage]) -> "Total":
        """What the noise of all stages costs together, computed from its scales and not from the shares."""
        if self.delta:
            return Total(self.epsilon, tight_delta(self.epsilon, self.ratio(stages)))
        losses = (moved(stage, self.adjacency)[0] / self.scale(stage) for stage in stages)
        return Total(sum(losses, Fraction(0)), Fraction(0))

    def ratio(self, stages: Sequence[Stage]) -> Fraction:
        """mu^2 of all Gaussian stages together, computed from their scales."""
        parts = (moved(stage, self.adjacency)[1] / self.scale(stage) ** 2 for stage in stages)
        return sum(parts, Fraction(0))

    def rows(self, stages: Sequence[Stage]) -> list[dict[str, Any]]:
        """The accounting as a table of exact numbers."""
        return [
            {
                "stage": stage.name, "share": str(stage.share), "l1": str(moved(stage, self.adjacency)[0]),
                "l2_squared": str(moved(stage, self.adjacency)[1]), "noise": "gaussian" if self.delta else "laplace",
                "scale": str(self.scale(stage)),
            }
            for stage in stages
        ]  # fmt: skip


class Total(NamedTuple):
    """A certified cost."""

    epsilon: Fraction
    delta: Fraction
    """Rounded up."""


def budget_of(deployment: Deployment) -> Budget:
    """The same claim and the same relation as a deployment's own release."""
    mechanism = deployment.mechanism
    return Budget(Fraction(mechanism.epsilon), Fraction(mechanism.delta), deployment.adjacency)


def moved(stage: Stage, adjacency: Adjacency) -> tuple[Fraction, Fraction]:
    """How far one unit moves a stage: l1 norm and squared l2 norm, in counts."""
    factor = 2 if adjacency == "replacement" else 1
    return Fraction(factor * stage.l1), Fraction(factor * stage.l2_squared)


@cache
def _sigma(epsilon: Fraction, delta: Fraction, l2_squared: Fraction) -> Fraction:
    return Fraction(analytic_sigma(epsilon, delta, l2_squared))
