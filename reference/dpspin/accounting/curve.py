"""Privacy curves: delta(epsilon), epsilon(delta), native parameters; of one release, or of several of a population."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import NamedTuple

from dpspin.accounting.admission import Admission
from dpspin.accounting.admission import delta as closed_form
from dpspin.accounting.calibration import GaussianNoise, LaplaceNoise, Peeling, ValueNoise, calibrate
from dpspin.accounting.certified import Ends, tight_delta, tight_epsilon
from dpspin.accounting.composition import LARGEST_LOSS, Composition, pure_mu_squared
from dpspin.accounting.cost import admission_of, joint_cost, selection_cost
from dpspin.accounting.laplace import LatticeLaplace, RealLaplace, coordinates_of
from dpspin.accounting.value_loss import LaplaceLoss
from dpspin.accounting.zcdp import rho_of_peeling
from dpspin.adjacency import MASS_UNIT, sensitivity
from dpspin.deployment import Deployment
from dpspin.errors import UsageError
from dpspin.settings import Exact

DIGITS = 10**9
GRID = 10**12
HALVINGS = 40
LARGEST = Fraction(LARGEST_LOSS)
"""No curve is followed beyond this loss."""
SMALLEST = Fraction(1, 10**40)
"""No curve but that of Gaussian noise is followed to smaller deltas, except to 0."""


@dataclass(frozen=True, slots=True)
class GaussianCurve:
    """Gaussian noise, one release or several: their (Delta_2 / sigma)^2 add up, exactly."""

    mu_squared: Fraction
    """(Delta_2 / sigma)^2, positive."""

    @property
    def pure(self) -> None:
        """There is none."""
        return

    def delta(self, epsilon: Fraction) -> Ends:
        """Delta of real-valued noise; an upper bound for noise that is rounded."""
        return tight_delta(epsilon, self.mu_squared)


@dataclass(frozen=True, slots=True)
class PeelingCurve:
    """Admission by peeling with the values of the admitted atoms: the least of two bounds that are proved for it.

    `cost.accounted` knows a third, by bounded ranges, that takes a second for each point and gains a few per cent for
    few rounds.
    """

    admission: Admission
    known: Composition
    """Admission by its pure loss, together with Laplace values or beside Gaussian ones."""

    @property
    def pure(self) -> Fraction | None:
        """The loss from which delta is 0, where there is one."""
        return self.known.pure

    @property
    def losses(self) -> tuple[Fraction, ...]:
        """The pure loss that stands for it in a composition."""
        return self.known.losses

    def delta(self, epsilon: Fraction) -> Ends:
        """Ends of an upper bound on delta."""
        composed = self.known.delta(epsilon)
        if composed.high == 0:
            return composed
        return min(composed, closed_form(self.admission, epsilon), key=lambda ends: ends.high)


Curve = GaussianCurve | RealLaplace | LatticeLaplace | PeelingCurve | Composition


class Native(NamedTuple):
    """Parameters of other definitions, each proved for the curve; None where there is none."""

    pure: Fraction | None
    """Loss at delta 0."""
    rho: Fraction
    """Zero-concentrated: mu^2 / 2 for Gaussian noise, at most eps^2 / 2 for a pure loss (Bun and Steinke 2016,
    propositions 1.6 and 1.4), and of admission the least that is known (`zcdp`); they add up."""
    mu_squared: Fraction
    """Gaussian DP, squared (Dong, Roth and Su 2022): exact for Gaussian noise; for a pure loss an upper bound, to 12
    digits; the squares add up."""


def native(curves: Sequence[Curve]) -> Native:
    """What is known in one number of releases together."""
    found = [_native(curve) for curve in curves]
    pure = [one.pure for one in found if one.pure is not None]
    return Native(
        sum(pure, Fraction(0)) if len(pure) == len(found) else None,
        sum((one.rho for one in found), Fraction(0)),
        sum((one.mu_squared for one in found), Fraction(0)),
    )


def _native(curve: Curve) -> Native:
    losses, mu_squared = _parts(curve)
    rho = sum((loss**2 / 2 for loss in losses), mu_squared / 2)
    if isinstance(curve, PeelingCurve):
        a, values = curve.admission, curve.admission.values
        of_values = values.rate**2 if isinstance(values, LaplaceLoss) else mu_squared
        rho = min(rho, rho_of_peeling(a.adjacency, a.rounds, a.per_round, of_values))
    return Native(curve.pure, rho, sum((pure_mu_squared(loss) for loss in losses), mu_squared))


def _parts(curve: Curve) -> tuple[tuple[Fraction, ...], Fraction]:
    """Pure losses, one for each coordinate of Laplace noise, and (Delta_2 / sigma)^2 of all Gaussian noise."""
    if isinstance(curve, GaussianCurve):
        return (), curve.mu_squared
    whole = curve.known if isinstance(curve, PeelingCurve) else curve
    return whole.losses, whole.mu_squared if isinstance(whole, Composition) else Fraction(0)


def compose(curves: Sequence[Curve]) -> Curve:
    """The curve of several releases whose parameters were fixed in advance; one alone keeps its own, sharper one."""
    if len(curves) == 1:
        return curves[0]
    parts = [_parts(curve) for curve in curves]
    losses, mu_squared = tuple(loss for each, _ in parts for loss in each), sum((mu for _, mu in parts), Fraction(0))
    return Composition(losses, mu_squared) if losses else GaussianCurve(mu_squared)


def of_deployment(deployment: Deployment, universe_size: int, records: int = 1) -> Curve:
    """The curve of one release.

    Args:
        deployment: public parameters.
        universe_size: m.
        records: k units that are to be protected together; they move the sketch as one unit of mass k B does.
    """
    noise = calibrate(deployment, universe_size)
    several = deployment.model_copy(update={"mass_bound": Exact(str(records * deployment.mass_bound))})
    if not isinstance(noise, Peeling):
        return _additive(noise, several, universe_size)
    admitted = min(deployment.plan.size, universe_size)
    if admitted == universe_size:  # the order of admission is that of the values, and only they cost
        return _additive(noise.values, several, admitted)
    admission = admission_of(noise, several, universe_size)
    if isinstance(noise.values, LaplaceNoise):
        rate = several.mass_bound * MASS_UNIT / noise.values.scale
        joint = joint_cost(deployment.adjacency, admitted, admission.per_round, rate)
        return PeelingCurve(admission, Composition((joint,), Fraction(0)))
    alone = selection_cost(deployment.adjacency, admitted, admission.per_round)
    return PeelingCurve(admission, Composition((alone,), _parts(_additive(noise.values, several, admitted))[1]))


def _additive(noise: ValueNoise, deployment: Deployment, atoms: int) -> Curve:
    bound = deployment.mass_bound
    if isinstance(noise, GaussianNoise):
        moved = sensitivity(deployment.adjacency, bound, atoms)
        return GaussianCurve(moved.l2_squared * MASS_UNIT**2 / noise.sigma**2)
    return LatticeLaplace(floor(bound * MASS_UNIT), noise.scale, coordinates_of(deployment.adjacency, atoms))


def epsilon_at(curve: Curve, delta: Fraction) -> Ends:
    """The least epsilon at a delta: the curve keeps to delta at the high end, and is not known to at the low end.

    Raises:
        UsageError: for delta 0 where the loss is not pure, and beyond LARGEST.
    """
    if delta == 0:
        if curve.pure is None:
            raise UsageError("delta", "Gaussian noise has no loss at delta 0", "write such as 1e-6")
        return Ends(curve.pure, curve.pure)
    if isinstance(curve, GaussianCurve):
        return tight_epsilon(curve.mu_squared, delta)
    if delta < SMALLEST:
        raise UsageError("delta", "is too small for this curve", f"ask for {float(SMALLEST)} or more, or for 0")
    if curve.delta(Fraction(0)).high <= delta:
        return Ends(Fraction(0), Fraction(0))
    low, high = Fraction(0), Fraction(1)
    while curve.delta(high).high > delta:
        low, high = high, 2 * high
        if high > LARGEST:
            raise UsageError("delta", f"the loss is above {LARGEST}", "ask for a larger delta, or more noise")
    while (high - low) * DIGITS > high:
        middle = (low + high) / 2
        low, high = (low, middle) if curve.delta(middle).high <= delta else (middle, high)
    return Ends(low, high)


class Point(NamedTuple):
    """One point of a curve."""

    epsilon: Fraction
    delta: Ends


def points(curve: Curve, least: Fraction, count: int) -> tuple[Point, ...]:
    """Equally spaced losses from 0 to where delta has fallen to `least`, denser before the end of a pure loss, and the
    deltas there.
    """
    pure = curve.pure if curve.pure is not None and curve.pure <= LARGEST else None
    top = epsilon_at(curve, least).high if pure is None else pure
    step = Fraction(floor(top / count * GRID), GRID)
    losses = [step * k for k in range(count)] + [top - step / 2**j for j in range(1, HALVINGS) if pure] + [top]
    return tuple(Point(epsilon, curve.delta(epsilon)) for epsilon in losses)
