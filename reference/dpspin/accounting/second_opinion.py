"""What another library says about a cost; never the authority."""

from fractions import Fraction
from typing import NamedTuple

from dpspin.accounting.cost import Cost

OPINION_DELTA = Fraction(1, 10**12)
"""Where a pure loss is asked for: dp-accounting's loss distributions leave out a tail of 1e-15."""
OPINION_RANGE = Fraction(1, 10**4), Fraction(64)
"""Losses for which dp-accounting answers to six digits within seconds; at 1000 it takes a minute and says infinity."""
LEAST_OPINION_DELTA = Fraction(1, 10**10)
"""Least delta of Gaussian noise at which it answers to six digits."""


class Opinion(NamedTuple):
    """Another tool's figure for the same mechanism; never the authority."""

    tool: str
    version: str
    epsilon: float
    """At the delta of the cost, or at OPINION_DELTA where that is 0."""


def unasked(cost: Cost) -> str | None:
    """Why there can be no second opinion on this cost, or None where there can."""
    least, most = OPINION_RANGE
    if cost.alternatives:
        return "dp-accounting has no figure for admission by peeling"
    if not least <= cost.epsilon <= most or 0 < cost.delta < LEAST_OPINION_DELTA:
        return f"dp-accounting is accurate for epsilon from {float(least)} to {most} and delta from 1e-10 on"
    return None


def second_opinion(cost: Cost) -> Opinion | None:
    """What Google's dp-accounting gives for additive noise with the same multiplier; None where `unasked` says why.

    Laplace noise is asked at OPINION_DELTA, where its loss is smaller than ours by less than 3e-12; Gaussian noise at
    the delta of the cost.
    """
    if unasked(cost):
        return None
    from importlib.metadata import version  # noqa: PLC0415 - with dp_accounting, whose import takes 0.8 s

    import dp_accounting  # noqa: PLC0415
    from dp_accounting.pld import PLDAccountant  # noqa: PLC0415

    event = (
        dp_accounting.LaplaceDpEvent(float(1 / cost.epsilon))
        if cost.multiplier_squared is None
        else dp_accounting.GaussianDpEvent(float(cost.multiplier_squared) ** 0.5)
    )
    accountant = PLDAccountant(dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE)
    accountant.compose(event)
    epsilon = float(accountant.get_epsilon(float(cost.delta or OPINION_DELTA)))
    return Opinion("dp-accounting", version("dp-accounting"), epsilon)
