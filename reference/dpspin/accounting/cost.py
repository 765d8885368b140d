"""What one release costs, exactly where the mechanism allows it."""

from fractions import Fraction
from typing import NamedTuple

from dpspin.accounting.calibration import GaussianNoise, Noise, Peeling, ValueNoise, calibrate, value_epsilon
from dpspin.accounting.gaussian import meets, tight_delta
from dpspin.adjacency import MASS_UNIT, Adjacency, Sensitivity, sensitivity
from dpspin.deployment import Deployment


class Alternative(NamedTuple):
    """Another bound on the same release."""

    name: str
    epsilon: Fraction
    delta: Fraction


class Cost(NamedTuple):
    """An upper bound on the privacy loss of one release."""

    epsilon: Fraction
    delta: Fraction
    theorem: str
    """Where the bound comes from."""
    alternatives: tuple[Alternative, ...] = ()
    """Every bound that is known, where there are several; the least is the cost."""
    multiplier_squared: Fraction | None = None
    """(sigma / Delta_2)^2 where the whole release is one Gaussian mechanism."""


def accounted(deployment: Deployment, universe_size: int) -> Cost:
    """The cost that follows from the mechanism as configured (paper sections 5.4 to 5.6).

    Choosing the L highest atoms of a noisy sketch and describing them is post-processing.

    Args:
        deployment: public parameters.
        universe_size: m, the number of atoms.
    """
    return cost_of(calibrate(deployment, universe_size), deployment, universe_size)


def cost_of(noise: Noise, deployment: Deployment, universe_size: int) -> Cost:
    """The cost of a deployment that adds this noise, whatever it should have added.

    For Gaussian noise the claimed epsilon is kept and delta is what that noise needs.
    """
    mechanism = deployment.mechanism
    if isinstance(noise, Peeling):
        return _private_top_l(noise, deployment, universe_size)
    moved = sensitivity(deployment.adjacency, deployment.mass_bound, universe_size)
    return _additive(noise, moved, mechanism.epsilon, mechanism.delta)


def _additive(noise: ValueNoise, moved: Sensitivity, epsilon: Fraction, delta: Fraction) -> Cost:
    """One additive mechanism.

    Discrete Laplace noise on the lattice loses exactly |shift| / b, and the sketch shifts by at most Delta_1
    (Ghosh, Roughgarden and Sundararajan 2009).
    """
    if not isinstance(noise, GaussianNoise):
        loss = moved.l1 * MASS_UNIT / noise.scale
        return Cost(loss, Fraction(0), "Laplace noise at scale b loses at most Delta_1 / b")
    ratio = moved.l2_squared * MASS_UNIT**2 / noise.sigma**2
    needed = tight_delta(epsilon, ratio)
    if meets(epsilon, ratio, delta):  # rounding up must not carry the figure beyond a claim that holds
        needed = min(needed, Fraction(delta))
    theorem = "Gaussian noise: delta(epsilon; sigma) of Balle and Wang 2018, Theorem 8"
    return Cost(Fraction(epsilon), needed, theorem, (), 1 / ratio)


def _private_top_l(noise: Peeling, deployment: Deployment, universe_size: int) -> Cost:
    """The paper's claim, the composed cost and, for Laplace values, the joint cost; the least proven one is accounted.

    Where every atom is admitted, the released set is constant and its order is that of the noisy values: admission then
    reveals nothing, and only the values cost.
    """
    mechanism, bound, adjacency = deployment.mechanism, deployment.mass_bound, deployment.adjacency
    admitted = min(deployment.plan.size, universe_size)
    values = _additive(noise.values, sensitivity(adjacency, bound, admitted), value_epsilon(mechanism), mechanism.delta)
    per_round = noise.exponent * MASS_UNIT * bound if admitted < universe_size else Fraction(0)
    composed = selection_cost(adjacency, admitted, per_round) + values.epsilon
    found = [Alternative("selection and values composed", composed, values.delta)]
    if not isinstance(noise.values, GaussianNoise):
        joint = joint_cost(adjacency, admitted, per_round, bound * MASS_UNIT / noise.values.scale)
        found.append(Alternative("selection and values together", joint, Fraction(0)))
    least = min(found, key=lambda one: one.epsilon)
    claim = Alternative("paper's claim", Fraction(mechanism.epsilon), Fraction(mechanism.delta))
    return Cost(least.epsilon, least.delta, f"private_top_l: {least.name} (spec.md section 3)", (claim, *found))


def selection_cost(adjacency: Adjacency, rounds: int, per_round: Fraction) -> Fraction:
    """Loss of the order of admission: L eta B under add/drop, (L + 1) eta B under replacement (spec.md section 3).

    Args:
        adjacency: which corpora are compared.
        rounds: L, below m.
        per_round: eta B, the exponent times the most mass of one unit.
    """
    return (rounds + (adjacency == "replacement")) * per_round


def joint_cost(adjacency: Adjacency, rounds: int, per_round: Fraction, value_rate: Fraction) -> Fraction:
    """Loss of admission and Laplace values together: a unit's mass cannot be spent on both in full (spec.md section 3).

    With a = eta B and v = B / b: add/drop max(L a + max(0, v - a), a + v); replacement L a + v + max(a, v), but for one
    admitted atom 2 a + v.

    Args:
        adjacency: which corpora are compared.
        rounds: L, below m.
        per_round: a, for one unit's mass.
        value_rate: v, the loss of one value that moves by one unit's mass.
    """
    if adjacency == "add_drop":
        return max(rounds * per_round + max(Fraction(0), value_rate - per_round), per_round + value_rate)
    if rounds == 1:
        return 2 * per_round + value_rate
    return rounds * per_round + value_rate + max(per_round, value_rate)
