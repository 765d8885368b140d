"""What one release costs, exactly where the mechanism allows it."""

from fractions import Fraction
from typing import NamedTuple

from dpspin.accounting import admission_bounds
from dpspin.accounting.admission import Admission
from dpspin.accounting.calibration import GaussianNoise, Noise, Peeling, ValueNoise, calibrate, value_epsilon
from dpspin.accounting.certified import tight_epsilon
from dpspin.accounting.gaussian import meets, tight_delta
from dpspin.accounting.search import rounded_up
from dpspin.accounting.value_loss import GaussianLoss, LaplaceLoss, ValueLoss
from dpspin.adjacency import MASS_UNIT, Adjacency, Sensitivity, sensitivity
from dpspin.deployment import Deployment
from dpspin.errors import UsageError

PROOF = "docs/accounting.md, admission by peeling"


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
    """Every upper bound that is known, where there are several; the least at the claimed delta is the cost."""
    multiplier_squared: Fraction | None = None
    """(sigma / Delta_2)^2 where the whole release is one Gaussian mechanism."""
    lower: Alternative | None = None
    """What the release is proven to lose at least, where that is known and not the cost itself: no upper bound."""


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
    ratio = _ratio(noise, moved)
    needed = tight_delta(epsilon, ratio)
    if meets(epsilon, ratio, delta):  # rounding up must not carry the figure beyond a claim that holds
        needed = min(needed, Fraction(delta))
    theorem = "Gaussian noise: delta(epsilon; sigma) of Balle and Wang 2018, Theorem 8"
    return Cost(Fraction(epsilon), needed, theorem, (), 1 / ratio)


def _ratio(noise: GaussianNoise, moved: Sensitivity) -> Fraction:
    """(Delta_2 / sigma)^2."""
    return moved.l2_squared * MASS_UNIT**2 / noise.sigma**2


def _private_top_l(noise: Peeling, deployment: Deployment, universe_size: int) -> Cost:
    """The paper's claim and every proven bound; the least proven one at the claimed delta is accounted.

    Where every atom is admitted, the released set is constant and its order is that of the noisy values: admission then
    reveals nothing, and only the values cost.
    """
    mechanism, delta = deployment.mechanism, Fraction(deployment.mechanism.delta)
    pure, lower = _pure(noise, deployment, universe_size), None
    found = list(pure)
    if delta:
        admission = admission_of(noise, deployment, universe_size)
        upper = admission_bounds.upper(admission, Fraction(mechanism.epsilon), delta)
        found += [Alternative(name, epsilon, delta) for name, epsilon in upper.items()]
        least = admission_bounds.lower(admission, universe_size, delta)
        lower = None if least is None else Alternative(admission_bounds.LOWER, least, delta)
    accounted = min(found, key=lambda one: (one.delta > delta, one.epsilon))
    claim = Alternative("paper's claim", Fraction(mechanism.epsilon), delta)
    theorem = f"private_top_l: {accounted.name} ({'spec.md section 3' if accounted in pure else PROOF})"
    return Cost(accounted.epsilon, accounted.delta, theorem, (claim, *found), None, lower)


def _pure(noise: Peeling, deployment: Deployment, universe_size: int) -> list[Alternative]:
    """Bounds that add a pure loss of admission to the loss of the values."""
    bound, adjacency, mechanism = deployment.mass_bound, deployment.adjacency, deployment.mechanism
    admitted = min(deployment.plan.size, universe_size)
    values = _values(noise.values, sensitivity(adjacency, bound, admitted), value_epsilon(mechanism), mechanism.delta)
    per_round = noise.exponent * MASS_UNIT * bound if admitted < universe_size else Fraction(0)
    composed = selection_cost(adjacency, admitted, per_round) + values.epsilon
    if values.epsilon != value_epsilon(mechanism):  # then it is a rounded figure anyway
        composed = rounded_up(composed)
    found = [Alternative("selection and values composed", composed, values.delta)]
    if not isinstance(noise.values, GaussianNoise):
        joint = joint_cost(adjacency, admitted, per_round, bound * MASS_UNIT / noise.values.scale)
        found.append(Alternative("selection and values together", joint, Fraction(0)))
    return found


def _values(noise: ValueNoise, moved: Sensitivity, epsilon: Fraction, delta: Fraction) -> Cost:
    """Values alone: at delta the least loss of Gaussian ones, six digits rounded up and not beyond one that holds.

    Where enclosures do not decide that loss, epsilon is kept and delta is what the noise needs.
    """
    kept = _additive(noise, moved, epsilon, delta)
    if not isinstance(noise, GaussianNoise) or not delta:
        return kept
    try:
        least = rounded_up(tight_epsilon(_ratio(noise, moved), delta).high)
    except UsageError:
        return kept
    return kept._replace(epsilon=min(least, epsilon) if kept.delta <= delta else least, delta=Fraction(delta))


def admission_of(noise: Peeling, deployment: Deployment, universe_size: int) -> Admission:
    """Peeling as `admission` counts it; Laplace values of the lattice, by a loss that dominates theirs.

    Args:
        noise: exponent and noise of the values.
        deployment: relation, bound and plan size.
        universe_size: m.
    """
    admitted = min(deployment.plan.size, universe_size)
    moved = sensitivity(deployment.adjacency, deployment.mass_bound, admitted)
    if isinstance(noise.values, GaussianNoise):
        values: ValueLoss = GaussianLoss(_ratio(noise.values, moved))
    else:
        values = LaplaceLoss(moved.l1 * MASS_UNIT / noise.values.scale, 1 / noise.values.scale)
    per_round = noise.exponent * MASS_UNIT * deployment.mass_bound
    return Admission(deployment.adjacency, admitted if admitted < universe_size else 0, per_round, values)


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
