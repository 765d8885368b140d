"""How much noise a deployment needs: from its claim to exact scales on the lattice (paper sections 5.4 to 5.6)."""

from dataclasses import dataclass
from fractions import Fraction

from dpspin.accounting.gaussian import analytic_sigma, classical_sigma
from dpspin.accounting.split import PeelingClaim, least_factor
from dpspin.adjacency import LARGEST_SCALE, MASS_UNIT, Sensitivity, sensitivity
from dpspin.deployment import Deployment
from dpspin.errors import UsageError
from dpspin.mechanism import Gaussian, Laplace, Mechanism, PrivateTopL


@dataclass(frozen=True, slots=True)
class LaplaceNoise:
    """Discrete Laplace noise."""

    scale: Fraction
    """b in lattice units."""


@dataclass(frozen=True, slots=True)
class GaussianNoise:
    """Gaussian noise, rounded to the lattice."""

    sigma: Fraction
    """In lattice units: the exact value of a binary64 sigma in units of mass, times MASS_UNIT."""


ValueNoise = LaplaceNoise | GaussianNoise


@dataclass(frozen=True, slots=True)
class Peeling:
    """Admission by L rounds of the exponential mechanism without replacement, then noise on the admitted values."""

    exponent: Fraction
    """eta per lattice unit: a round picks j with probability proportional to exp(eta C_j)."""
    values: ValueNoise
    """Noise of the L admitted values."""


Noise = LaplaceNoise | GaussianNoise | Peeling


def calibrate(deployment: Deployment, universe_size: int) -> Noise:
    """The noise that the declared mechanism adds.

    Args:
        deployment: public parameters.
        universe_size: m, the number of atoms.

    Raises:
        UsageError: for the classical rule outside its range 0 < eps < 1, or a scale that cannot be drawn.
    """
    mechanism = deployment.mechanism
    moved = sensitivity(deployment.adjacency, deployment.mass_bound, universe_size)
    if isinstance(mechanism, Laplace):
        return _laplace(moved, mechanism.epsilon)
    if isinstance(mechanism, Gaussian):
        return _gaussian(moved, mechanism)
    return _peeling(deployment, mechanism, universe_size)


def _laplace(moved: Sensitivity, epsilon: Fraction) -> LaplaceNoise:
    """b = Delta_1 / eps."""
    return LaplaceNoise(_drawable(moved.l1 * MASS_UNIT / epsilon))


def _gaussian(moved: Sensitivity, mechanism: Gaussian) -> GaussianNoise:
    claim = (Fraction(mechanism.epsilon), Fraction(mechanism.delta), moved.l2_squared)
    sigma = analytic_sigma(*claim) if mechanism.calibration == "analytic" else classical_sigma(*claim)
    if sigma is None:
        raise UsageError(
            "mechanism.calibration",
            f"classical is outside the rule's range 0 < epsilon < 1 at {mechanism.epsilon.text}",
            "write analytic",
        )
    return _on_lattice(sigma)


def value_epsilon(mechanism: Mechanism) -> Fraction:
    """eps_val, what admission leaves of the claimed epsilon for the released values: all of it without peeling."""
    share = mechanism.selection_share if isinstance(mechanism, PrivateTopL) else 0
    return (1 - share) * mechanism.epsilon


def _peeling(deployment: Deployment, mechanism: PrivateTopL, universe_size: int) -> Peeling:
    """Exponent and value noise; the values move like a sketch of the admitted atoms alone (spec.md section 3).

    The paper's exponent ignores that a unit's mass is bounded; the tight one spends exactly its share.  With Gaussian
    values both scales then fall by the least factor that still keeps the claim (docs/accounting.md).
    """
    admitted, tight = min(deployment.plan.size, universe_size), mechanism.em_mode == "tight"
    moved = sensitivity(deployment.adjacency, deployment.mass_bound, admitted)
    unit = deployment.mass_bound * MASS_UNIT
    if tight and mechanism.values == "gaussian":
        split = peeling_claim(deployment, mechanism, universe_size).split()
        factor = least_factor(split, Fraction(mechanism.epsilon), Fraction(mechanism.delta))
        return Peeling(split.per_round / factor / unit, _on_lattice(split.sigma_at(factor)))
    rounds = admitted + (deployment.adjacency == "replacement") if tight else 2 * admitted
    exponent = mechanism.selection_share * mechanism.epsilon / (rounds * unit)
    left = value_epsilon(mechanism)
    if mechanism.values == "laplace":
        return Peeling(exponent, _laplace(moved, left))
    return Peeling(exponent, _on_lattice(analytic_sigma(left, Fraction(mechanism.delta), moved.l2_squared)))


def peeling_claim(deployment: Deployment, mechanism: PrivateTopL, universe_size: int) -> PeelingClaim:
    """What a deployment with Gaussian values claims."""
    share, loss, delta = (Fraction(x) for x in (mechanism.selection_share, mechanism.epsilon, mechanism.delta))
    bound = Fraction(deployment.mass_bound)
    return PeelingClaim(deployment.adjacency, bound, deployment.plan.size, universe_size, share, loss, delta)


def _on_lattice(sigma: float) -> GaussianNoise:
    return GaussianNoise(_drawable(Fraction(sigma) * MASS_UNIT))


def _drawable(scale: Fraction) -> Fraction:
    """A scale that can be drawn exactly; refused here, before anything is charged, and not by the sampler."""
    if not Fraction(1, LARGEST_SCALE) <= scale <= LARGEST_SCALE:
        far = "more than 2^20" if scale > 1 else "less than 2^-60"
        raise UsageError(
            "mechanism.epsilon", f"the noise would have a scale of {far} units of mass", "claim another loss"
        )
    return scale
