"""Adaptive composition of bounded-range rounds with noisy values as last step: a bound that knows nothing but ranges.

A round of the exponential mechanism has a privacy loss that lies in some interval [t - r, t], with r = a under add/drop
and 2 a under replacement; t may depend on all rounds before (Durfee and Rogers 2019; Dong, Durfee and Rogers 2020).
V_0 is the profile of the values, and with p = (1 - e^(t-r)) / (1 - e^-r)

    V_k(x) = sup over t of p V_(k-1)(x - t) + (1 - p) V_(k-1)(x - t + r)

bounds L rounds, exactly for the class of all such mechanisms.  Peeling is one of them and not the worst.

x runs over a lattice of step h = r / N.  From above, t in [(i-1) h, i h] is given the interval [i h - (N+1) h, i h],
which holds its own; from below, t is restricted to the lattice.  The recursion is computed in binary64.  All its
summands are nonnegative, a sum of two products errs by less than 2^-51 of itself, or 2^-1020 where it underflows, and
each round adds more than that (SLACK, UNDERFLOW): from above no value is too small, from below none too large.
"""

from fractions import Fraction
from functools import lru_cache
from math import inf, log, nextafter, sqrt
from typing import Any, NamedTuple

import numpy as np

from dpspin.accounting.admission import Admission
from dpspin.accounting.certified import Ends
from dpspin.accounting.interval import Interval, exponential, rational, whole
from dpspin.accounting.search import least_decimal, refuse_certain
from dpspin.accounting.value_loss import GaussianLoss, ValueLoss
from dpspin.errors import UsageError

BITS = 128
SLACK, UNDERFLOW = 2.0**-50, 2.0**-1000
POINTS = 400
"""About L N: finer for few rounds, where the bound is good."""
MOST_ROUNDS = 100
MOST_STEPS = 200
FURTHEST = Fraction(64)
"""From here on the profile of the values is taken as it is here: it falls."""
MOST_POINTS = 4096
LARGEST = 32
"""Losses beyond are not looked for; the lattice would take many seconds."""


class Rounds(NamedTuple):
    """L bounded-range rounds, and the loss of the values that follow."""

    rounds: int
    """L."""
    width: Fraction
    """r, the range of each."""
    values: ValueLoss | None = None


def of_peeling(admission: Admission) -> Rounds:
    """Peeling as bounded-range rounds: the range doubles under replacement, which moves two atoms apart.

    Raises:
        UsageError: for more rounds than MOST_ROUNDS.
    """
    if admission.rounds > MOST_ROUNDS:
        raise UsageError("rounds", f"{admission.rounds} rounds take too long", f"ask for at most {MOST_ROUNDS}")
    doubled = 2 if admission.adjacency == "replacement" else 1
    return Rounds(admission.rounds, doubled * admission.per_round, admission.values)


def steps(rounds: int) -> int:
    """N, the steps of the lattice in one range."""
    return max(4, min(MOST_STEPS, POINTS // max(rounds, 1)))


def delta(composed: Rounds, epsilon: Fraction) -> Ends:
    """The bound at a loss: high holds for every such mechanism, and some mechanism of the class needs low.

    Args:
        composed: rounds and values.
        epsilon: at least 0.
    """
    n = steps(composed.rounds)
    return Ends(*(Fraction(float(_value(composed, epsilon, 1, n, upper=upper)[0])) for upper in (False, True)))


@lru_cache(64)
def epsilon(composed: Rounds, claim: Fraction) -> Fraction:
    """The least loss at which the bound is certified to be at most `claim`, of six digits rounded up.

    Between points of the lattice the bound is below its chord in e^x, being convex there.

    Raises:
        UsageError: where the loss is likely to be above LARGEST, or to take more than MOST_POINTS points.
    """
    refuse_certain(claim)
    n = steps(composed.rounds)
    likely = _likely(composed, claim)
    if likely > LARGEST:
        raise UsageError("delta", f"a loss of about {likely:.3g} is not looked for", "claim a larger delta")
    first, last = int(3 * likely * n / (4 * composed.width)), int(likely * n / composed.width) + 2 * n
    if last > MOST_POINTS:
        raise UsageError("exponent", "rounds reveal too little for the lattice", "ask for the closed form")
    for start, count in ((first, last - first), (0, first + 1), (last, last)):
        values = _value(composed, start * composed.width / n, count, n, upper=True)
        found = np.flatnonzero(values <= float_down(claim))
        if found.size and (found[0] or not start):
            return _between(values, int(found[0]), start, composed.width / n, claim)
    raise UsageError("delta", "no loss on the lattice is enough", "claim a larger delta or add more noise")


def _likely(composed: Rounds, claim: Fraction) -> float:
    """The loss of a normal law whose variance is no smaller than that of rounds and values."""
    square = composed.rounds * composed.width**2 / 4
    if composed.values is not None:
        square += composed.values.ratio if isinstance(composed.values, GaussianLoss) else composed.values.rate**2
    variance = float(min(square, Fraction(LARGEST**2)))
    return variance / 2 + sqrt(2 * variance * (log(claim.denominator) - log(claim.numerator)))


def _between(values: Any, k: int, start: int, step: Fraction, claim: Fraction) -> Fraction:
    """Where the chord from point k - 1 to point k of the values reaches the claim; they begin at start * step."""
    if k == 0:
        return Fraction(0)
    above, below = Fraction(float(values[k - 1])), Fraction(float(values[k]))
    share, one = (above - claim) / (above - below), whole(1, BITS)
    reached = one + rational(share, BITS) * (exponential(step, BITS) - one)

    def holds(loss: Fraction) -> bool:
        return exponential(loss - (start + k - 1) * step, BITS).low >= reached.high

    return least_decimal(holds, float((start + k - 1 + share) * step))


def _value(composed: Rounds, start: Fraction, count: int, n: int, *, upper: bool) -> Any:
    """V_L at start, start + h, ...: bounds from above or from below, float64[count]."""
    step, rounds = composed.width / n, composed.rounds
    span = n + 1 if upper else n
    values = np.array([
        _terminal(start + k * step, composed.values, upper=upper) for k in range(-rounds * span, count + rounds * span)
    ])  # fmt: skip
    weights = [_weight(i, span, step, upper=upper) for i in range(span + 1)]
    for _ in range(rounds):
        values = _round(values, weights, upper=upper)
    return values


def _weight(i: int, span: int, step: Fraction, *, upper: bool) -> tuple[float, float]:
    """p and 1 - p for the losses i h and (i - span) h, both rounded to the same side."""
    one = whole(1, BITS)
    p = (one - exponential((i - span) * step, BITS)) * (one - exponential(-span * step, BITS)).inverse()
    return _float(p, upper=upper), _float(one - p, upper=upper)


def _round(values: Any, weights: list[tuple[float, float]], *, upper: bool) -> Any:
    """One round: the adversary takes the best t at every point."""
    span = len(weights) - 1
    inner = len(values) - 2 * span
    best = np.zeros(inner)
    for i, (p, q) in enumerate(weights):
        lower, higher = span - i, 2 * span - i
        np.maximum(best, p * values[lower : lower + inner] + q * values[higher : higher + inner], out=best)
    if upper:
        return np.minimum(best * (1 + SLACK) + UNDERFLOW, 1.0)
    return np.maximum(best * (1 - SLACK) - UNDERFLOW, 0.0)


@lru_cache(2**14)
def _terminal(x: Fraction, values: ValueLoss | None, *, upper: bool) -> float:
    """The profile of the values at x, rounded to one side."""
    if x > FURTHEST:
        return _terminal(FURTHEST, values, upper=True) if upper else 0.0
    bits = BITS + 2 * max(int(x), 0)  # e^x is a factor
    if values is None:
        profile = whole(1, bits) - exponential(min(x, Fraction(0)), bits)
    else:
        left = None, Fraction(0)
        profile = values.mean(Fraction(0), Fraction(0), left, x, bits)
        profile -= values.mean(Fraction(1), Fraction(0), left, x, bits)
    return _float(profile, upper=upper)


def _float(value: Interval, *, upper: bool) -> float:
    """An end of an interval in binary64, from 0 to 1; the quotient of integers is rounded to nearest."""
    end = (value.high if upper else value.low) / (1 << value.bits)
    return min(max(nextafter(end, inf if upper else -inf), 0.0), 1.0)


def float_down(value: Fraction) -> float:
    """The largest float that is at most the value."""
    near = float(value)
    return near if near <= value else nextafter(near, -inf)
