"""Questions to the privacy curve of one release or several, and their answers as data, text, table and figure."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from dpspin.accounting.certified import Ends
from dpspin.accounting.composition import Composition
from dpspin.accounting.curve import Curve, Native, PeelingCurve, Point, compose, epsilon_at, native, points
from dpspin.accounting.guarantee import Guarantee, agreed, group, total
from dpspin.accounting.second_opinion import Opinion, opinions, unasked_of
from dpspin.adjacency import Adjacency, Unit
from dpspin.decimals import exact
from dpspin.errors import UsageError

LEAST = Fraction(1, 10**12)
"""The curve is followed down to this delta."""
STEPS = 80
MU_DIGITS = 10**12


class Built(NamedTuple):
    """A universe that was built from protected records."""

    sha256: str
    cost: Guarantee
    """As declared."""


class Release(NamedTuple):
    """One release."""

    name: str
    curve: Curve
    unit: Unit
    adjacency: Adjacency
    claimed: Guarantee | None
    """What its deployment claims; None for noise that was stated alone."""
    universe: Built | None = None
    """Its universe, where that has a cost of its own."""


class Question(NamedTuple):
    """What is asked of the releases."""

    deltas: tuple[Fraction, ...]
    records: int
    """k units that are to be protected together; the curves of the releases are already those of k."""
    asked: bool
    """Whether dp-accounting is asked too."""


class Reading(NamedTuple):
    """Epsilon at one delta, or why there is none."""

    delta: Fraction
    epsilon: Ends | None
    why_none: str
    opinions: tuple[Opinion, ...]
    silent: str | None
    """Why no other tool was asked, where one should have been."""


class Answer(NamedTuple):
    """What is known of the releases together."""

    releases: tuple[Release, ...]
    unit: Unit
    adjacency: Adjacency
    records: int
    whole: Curve
    native: Native
    readings: tuple[Reading, ...]
    claimed: Guarantee | None
    """Sum of the claims, where every release has one: what the ledger adds for one unit."""
    beside: Guarantee | None
    """What the curve says at the delta of that sum, where it says anything there."""
    built: Guarantee | None
    """Sum of what the universes cost, each once; None where none was built from protected records."""
    places: tuple[tuple[Point, ...], ...]
    """Points of the whole curve, then of each release where there are several."""

    @property
    def exposed(self) -> Guarantee | None:
        """Sum of the claims and of what the universes cost."""
        return total([self.claimed, self.built]) if self.claimed and self.built else self.claimed

    @property
    def attained(self) -> bool:
        """Whether the curve is the exact one of its noise and not just an upper bound."""
        return not isinstance(self.whole, PeelingCurve | Composition)


def answered(releases: Sequence[Release], question: Question) -> Answer:
    """The answer.

    Raises:
        UsageError: where the releases protect different units or adjacencies, or a curve cannot be followed.
    """
    unit, adjacency = agreed(releases)
    curves = [release.curve for release in releases]
    whole = compose(curves)
    claims = [release.claimed for release in releases if release.claimed is not None]
    claimed = total([group(claim, question.records) for claim in claims]) if len(claims) == len(releases) else None
    drawn = [whole, *(curves if len(curves) > 1 else [])]
    return Answer(
        tuple(releases), unit, adjacency, question.records, whole, native(curves),
        tuple(_reading(curves, whole, delta, asked=question.asked) for delta in question.deltas), claimed,
        claimed and _beside(whole, claimed), _built(releases, question.records),
        tuple(points(curve, LEAST, STEPS) for curve in drawn),
    )  # fmt: skip


def _built(releases: Sequence[Release], records: int) -> Guarantee | None:
    """What the universes cost together; of several costs of one universe the largest, as the ledger has it."""
    costs: dict[str, Guarantee] = {}
    for built in (release.universe for release in releases if release.universe is not None):
        known = costs.get(built.sha256, built.cost)
        most = max(known.epsilon, built.cost.epsilon), max(known.delta, built.cost.delta)
        costs[built.sha256] = replace(known, epsilon=most[0], delta=most[1])
    return total([group(cost, records) for cost in costs.values()]) if costs else None


def _reading(curves: Sequence[Curve], whole: Curve, delta: Fraction, *, asked: bool) -> Reading:
    if not 0 <= delta < 1:
        raise UsageError("delta", f"{exact(delta)} is not from 0 to below 1", "write such as 1e-6")
    if delta == 0 and whole.pure is None:
        return Reading(delta, None, "Gaussian noise has no loss at delta 0", (), None)
    found = opinions(curves, delta) if asked else ()
    silent = unasked_of(curves, delta) if asked and not found else None
    return Reading(delta, epsilon_at(whole, delta), "", found, silent)


def _beside(whole: Curve, claimed: Guarantee) -> Guarantee | None:
    if claimed.delta >= 1 or (claimed.delta == 0 and whole.pure is None):
        return None
    found = epsilon_at(whole, claimed.delta).high
    if (
        whole.delta(claimed.epsilon).high <= claimed.delta
    ):  # rounding up must not carry the figure beyond a sum that holds
        found = min(found, claimed.epsilon)
    return replace(claimed, epsilon=found)


def mu_of(squared: Fraction) -> Fraction:
    """mu, rounded up to 12 digits after the point."""
    scaled = -(-squared.numerator * MU_DIGITS**2 // squared.denominator)
    return Fraction(isqrt(scaled - 1) + 1, MU_DIGITS)
