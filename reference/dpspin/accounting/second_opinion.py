"""What another library says about a cost or a curve; never the authority.

Google's dp-accounting is asked with the multiplier of our own relation and its ADD_OR_REMOVE_ONE; repeated releases are
a list of events.  What it gets wrong is pinned in its tests, so that a mended version is noticed.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, gcd, lcm
from typing import Any, Literal, NamedTuple

from dpspin.accounting.certified import Ends
from dpspin.accounting.composition import Composition
from dpspin.accounting.cost import Cost
from dpspin.accounting.curve import Curve, GaussianCurve, PeelingCurve, compose, epsilon_at
from dpspin.accounting.laplace import RealLaplace

OPINION_DELTA = Fraction(1, 10**12)
"""Where a pure loss is asked for: dp-accounting's loss distributions leave out a tail of 1e-15."""
OPINION_RANGE = Fraction(1, 10**4), Fraction(64)
"""Losses for which dp-accounting answers to six digits within seconds; at 1000 it takes a minute and says infinity."""
LEAST_OPINION_DELTA = Fraction(1, 10**10)
"""Least delta of Gaussian noise at which it answers to six digits."""
AGREEMENT = 1e-6
"""Of the larger of 1 and epsilon, for each event: losses are rounded up to a grid, whose error is of second order where
the largest ones lie on it, and tails of 1e-15 count as lost, a part of 1e-5 of the least delta that is asked for."""
GRID = Fraction(1, 10**4)
"""Its usual step; ours is at most that, and divides the pure losses where they have a common divisor of a tenth of it
or more."""
MOST_EVENTS = 64
"""Its composition of more takes minutes."""
UNEXPLAINED = "larger by more than its rounding explains: find out which is wrong"
PEELING = "dp-accounting has no figure for admission by peeling"

Method = Literal["PLD", "RDP"]


class Opinion(NamedTuple):
    """Another tool's figure for the same mechanism; never the authority."""

    tool: str
    version: str
    epsilon: float
    """At the delta of the cost, or at OPINION_DELTA where that is 0."""
    note: str = ""
    """Whether it agrees with ours; where it does not, who is right and why."""


def unasked(cost: Cost) -> str | None:
    """Why there can be no second opinion on this cost, or None where there can."""
    return PEELING if cost.alternatives else _out_of_range(cost.epsilon, cost.delta)


def _out_of_range(epsilon: Fraction, delta: Fraction) -> str | None:
    least, most = OPINION_RANGE
    if not least <= epsilon <= most or 0 < delta < LEAST_OPINION_DELTA:
        return f"dp-accounting is accurate for epsilon from {float(least)} to {most} and delta from 1e-10 on"
    return None


def second_opinion(cost: Cost) -> Opinion | None:
    """What dp-accounting gives for additive noise with the same multiplier; None where `unasked` says why.

    Laplace noise is asked at OPINION_DELTA, where its loss is smaller than ours by less than 3e-12; Gaussian noise at
    the delta of the cost.
    """
    if unasked(cost):
        return None
    if cost.multiplier_squared is None:
        found = _opinion("PLD", [RealLaplace(cost.epsilon, 1)], OPINION_DELTA)
    else:
        found = _opinion("PLD", [GaussianCurve(1 / cost.multiplier_squared)], cost.delta)
    return found._replace(tool="dp-accounting")


def opinions(curves: Sequence[Curve], delta: Fraction) -> tuple[Opinion, ...]:
    """What dp-accounting gives for several additive releases at one delta, by loss distributions and by Renyi orders.

    Empty where `unasked_of` says why.
    """
    if unasked_of(curves, delta):
        return ()
    methods: tuple[Method, ...] = ("PLD", "RDP")
    return tuple(_opinion(method, curves, delta or OPINION_DELTA) for method in methods)


def _opinion(method: Method, curves: Sequence[Curve], delta: Fraction) -> Opinion:
    whole, events, step = compose(curves), _multipliers(curves), _step(curves)
    epsilon, version = _epsilon(method, events, step, delta)
    asked = Asked(method, len(events), 0.0 if step else float(GRID) * len(events))
    word = note(asked, epsilon_at(whole, delta), epsilon, exact=not isinstance(whole, Composition))
    return Opinion(f"dp-accounting {method}", version, epsilon, word)


def unasked_of(curves: Sequence[Curve], delta: Fraction) -> str | None:
    """Why there can be no opinion on these releases, or None where there can."""
    if any(isinstance(curve, PeelingCurve | Composition) for curve in curves):
        return PEELING
    if len(_multipliers(curves)) > MOST_EVENTS:
        return f"dp-accounting takes minutes for more than {MOST_EVENTS} releases"
    whole = compose(curves)
    if delta == 0 and whole.pure is None:
        return "Gaussian noise has no loss at delta 0"
    if 0 < delta < LEAST_OPINION_DELTA:
        return _out_of_range(Fraction(1), delta)
    return _out_of_range(epsilon_at(whole, delta or OPINION_DELTA).high, delta)


class Asked(NamedTuple):
    """What was asked of the other tool."""

    method: Method
    events: int
    rounding: float = 0.0
    """What it may add to epsilon because pure losses do not lie on its grid."""


def note(asked: Asked, ours: Ends, theirs: float, *, exact: bool = True) -> str:
    """Whether two figures for one delta agree, and else who is right.

    Theirs is meant to be an upper bound.  Ours is certified; `exact` says that it is also the least.  Ours may not be
    smaller than theirs by more than AGREEMENT for each event and the rounding of pure losses.
    """
    slack = AGREEMENT * max(1.0, float(ours.high)) * asked.events + asked.rounding
    if abs(theirs - float(ours.high)) <= slack:
        return "agrees with ours"
    if theirs < float(ours.low):
        if exact:
            return "smaller than what is certified to be needed: ours stands"
        return "smaller: it composes the laws themselves, we bound each pure loss by randomised response; both hold"
    if asked.method == "RDP":
        return "larger: Renyi orders lose in the conversion to (epsilon, delta); both hold, ours is sharper"
    return UNEXPLAINED


def _multipliers(curves: Sequence[Curve]) -> list[tuple[str, float]]:
    """Kind and noise multiplier of every event; two coordinates of Laplace noise are two events."""
    found: list[tuple[str, float]] = []
    for curve in curves:
        if isinstance(curve, GaussianCurve):
            found.append(("gaussian", float(curve.mu_squared) ** -0.5))
        elif not isinstance(curve, PeelingCurve | Composition):
            found += [("laplace", float(1 / loss)) for loss in curve.losses]
    return found


def _step(curves: Sequence[Curve]) -> Fraction | None:
    """A step of the grid that divides every pure loss; None where there is no useful one."""
    losses = [loss for curve in curves if not isinstance(curve, GaussianCurve) for loss in curve.losses]
    if not losses:
        return GRID
    common = Fraction(gcd(*(loss.numerator for loss in losses)), lcm(*(loss.denominator for loss in losses)))
    return common / ceil(common / GRID) if common >= GRID / 10 else None


def _epsilon(
    method: Method, events: Sequence[tuple[str, float]], step: Fraction | None, delta: Fraction
) -> tuple[float, str]:
    """Epsilon and version of the library."""
    from importlib.metadata import version  # noqa: PLC0415 - with dp_accounting, whose import takes 0.8 s

    import dp_accounting  # noqa: PLC0415
    from dp_accounting.pld import PLDAccountant  # noqa: PLC0415
    from dp_accounting.rdp import RdpAccountant  # noqa: PLC0415

    kinds: dict[str, Callable[[float], Any]] = {
        "gaussian": dp_accounting.GaussianDpEvent,
        "laplace": dp_accounting.LaplaceDpEvent,
    }
    relation = dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE
    grid = float(step or GRID) * (1 + 1e-12)  # so that no loss on it is pushed to the next step by rounding
    accountant = (
        PLDAccountant(relation, value_discretization_interval=grid)
        if method == "PLD"
        else RdpAccountant(neighboring_relation=relation)
    )
    for kind, multiplier in events:
        accountant.compose(kinds[kind](multiplier))
    return float(accountant.get_epsilon(float(delta))), version("dp-accounting")
