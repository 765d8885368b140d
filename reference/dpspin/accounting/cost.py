"""What one release costs, exactly, and what another library says about it."""

from fractions import Fraction
from typing import NamedTuple

from dpspin.adjacency import MASS_UNIT, sensitivity
from dpspin.deployment import Deployment

OPINION_DELTA = 1e-12


class Cost(NamedTuple):
    """An upper bound on the privacy loss of one release."""

    epsilon: Fraction
    delta: Fraction
    theorem: str
    """Where the bound comes from."""


class Opinion(NamedTuple):
    """Another tool's figure for the same mechanism; never the authority."""

    tool: str
    version: str
    epsilon: float
    """At delta = OPINION_DELTA."""


def accounted(deployment: Deployment, universe_size: int) -> Cost:
    """The cost that follows from the mechanism as configured: Delta_1 / b for Laplace noise (paper section 5.4).

    Discrete Laplace noise on the lattice loses exactly |shift| / b, and the sketch shifts by at most Delta_1
    (Ghosh, Roughgarden and Sundararajan 2009); choosing the L highest and describing them is post-processing.
    """
    shift = sensitivity(deployment.adjacency, deployment.mass_bound, universe_size).l1 * MASS_UNIT
    return Cost(
        shift / deployment.noise_scale(universe_size), Fraction(0), "Laplace noise at scale b loses at most Delta_1 / b"
    )


def second_opinion(cost: Cost) -> Opinion:
    """The loss that Google's dp-accounting gives for Laplace noise with the same multiplier b / Delta_1.

    Asked at delta = OPINION_DELTA, because its loss distributions leave out a tail of 1e-15 and answer "infinite" at 0;
    the loss there is smaller than ours by less than 3e-12.
    """
    from importlib.metadata import version  # noqa: PLC0415 - with dp_accounting, whose import takes 0.8 s

    import dp_accounting  # noqa: PLC0415
    from dp_accounting.pld import PLDAccountant  # noqa: PLC0415

    accountant = PLDAccountant(dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE)
    accountant.compose(dp_accounting.LaplaceDpEvent(float(1 / cost.epsilon)))
    return Opinion("dp-accounting", version("dp-accounting"), float(accountant.get_epsilon(OPINION_DELTA)))
