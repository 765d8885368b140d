"""Which mechanism serves a deployment best: bounds on selection and on values, side by side (spec.md section 3).

Every mechanism is calibrated to the deployment's own epsilon, delta, adjacency, B, m and L.  Each bound holds by itself
with probability at least 1 - noise_beta.  The best bound need not belong to the mechanism that errs least on a given
corpus.
"""

from collections.abc import Iterator
from typing import NamedTuple

from dpspin.accounting.calibration import Peeling, calibrate
from dpspin.accounting.utility import admission_gap, noise_floor
from dpspin.adjacency import MASS_UNIT
from dpspin.deployment import Deployment
from dpspin.mechanism import Gaussian, Laplace, Mechanism, PrivateTopL

ASSUMED_DELTA = "1e-5"
"""Taken for Gaussian noise where the deployment is pure; it buys that noise a weaker guarantee."""


class Bound(NamedTuple):
    """What one mechanism promises, in units of mass."""

    mechanism: str
    """Its kind; for private_top_l also the noise of the values."""
    delta: str
    """As declared, "0" where it spends none, or ASSUMED_DELTA."""
    delta_assumed: bool
    """True where the deployment itself is pure and this mechanism is not."""
    selection_error: float
    """No admitted atom has less exact mass than an atom left out by more than this; 0 where none is left out."""
    value_error: float
    """No released value is further from its exact mass; on the tail that is exact for the lattice."""


class Best(NamedTuple):
    """Names of the mechanisms with the least bounds; the earlier one where bounds are equal."""

    selection: str
    values: str


def compare(deployment: Deployment, universe_size: int) -> tuple[Bound, ...]:
    """The bounds of laplace, gaussian (analytic) and private_top_l with either noise of values.

    Peeling takes the deployment's own exponent mode and share where it is declared, else the tight mode and one half.

    Args:
        deployment: public parameters.
        universe_size: m.
    """
    declared = deployment.mechanism.delta
    return tuple(
        _bound(name, deployment.model_copy(update={"mechanism": mechanism}), universe_size, assumed=declared == 0)
        for name, mechanism in _candidates(deployment.mechanism)
    )


def best(bounds: tuple[Bound, ...]) -> Best:
    """Which bounds are least."""
    return Best(
        min(bounds, key=lambda bound: bound.selection_error).mechanism,
        min(bounds, key=lambda bound: bound.value_error).mechanism,
    )


def _candidates(own: Mechanism) -> Iterator[tuple[str, Mechanism]]:
    pure = {"epsilon": own.epsilon.text, "delta": "0"}
    approximate = pure | {"delta": own.delta.text if own.delta else ASSUMED_DELTA}
    share, mode = "1/2", "tight"
    if isinstance(own, PrivateTopL):
        share, mode = own.selection_share.text, own.em_mode
    peeling = {"kind": "private_top_l", "em_mode": mode, "selection_share": share}
    yield "laplace", Laplace.model_validate(pure | {"kind": "laplace"})
    yield "gaussian", Gaussian.model_validate(approximate | {"kind": "gaussian", "calibration": "analytic"})
    for noise, spent in (("laplace", pure), ("gaussian", approximate)):
        yield f"private_top_l, {noise} values", PrivateTopL.model_validate(peeling | spent | {"values": noise})


def _bound(name: str, deployment: Deployment, universe_size: int, *, assumed: bool) -> Bound:
    size, beta, delta = deployment.plan.size, deployment.plan.noise_beta, deployment.mechanism.delta
    noise = calibrate(deployment, universe_size)
    tau = noise_floor(noise, universe_size, size, beta) / MASS_UNIT
    if isinstance(noise, Peeling):
        gap = admission_gap(float(noise.exponent * MASS_UNIT), universe_size, size, float(beta))
    else:
        gap = 2 * tau if size < universe_size else 0.0
    return Bound(name, delta.text, assumed and delta != 0, gap, tau)
