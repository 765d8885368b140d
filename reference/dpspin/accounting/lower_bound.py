"""How much admission with noisy values loses at least: two adjacent corpora and an event, evaluated exactly.

One atom carries the unit that is added or dropped; the m - 1 others have equal masses.  With the weight w = e^y for the
atom without the unit, and w e^a with it, the atom is never admitted with probability

    prod over rounds t = 1..L of (m - t) / (m - t + weight).

The event is "never admitted, or admitted with a value beyond a threshold", or one half of it; no order of admission
is needed, which is not released.  Under replacement the unit that is put in may have no mass, so that the same pair
counts.  The bound is for real-valued noise, before its rounding to the lattice.
"""

from fractions import Fraction
from functools import lru_cache
from math import log
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr

from dpspin.accounting.admission import Admission
from dpspin.accounting.certified import tight_epsilon, upper_tail
from dpspin.accounting.interval import Interval, exponential, root, whole
from dpspin.accounting.search import falling_root, greatest_decimal, refuse_certain
from dpspin.accounting.value_loss import GaussianLoss
from dpspin.errors import UsageError

BITS = 192
GRID = 121
FURTHEST = 1e6
"""Standard deviations."""
REACH = 20
"""Weights from e^-20 m to e^20 m are tried."""
LARGEST = 1000.0
"""No larger loss is tried."""


class Pair(NamedTuple):
    """Two adjacent corpora and an event."""

    atoms: int
    """m."""
    log_weight: Fraction
    """y: eta times the mass by which the atom is ahead of the others, without the unit."""
    added: bool
    """Whether the loss is that of the corpus with the unit against the one without."""
    threshold: Fraction
    """Of the value, in standard deviations from its mean under the other corpus, towards the first one's mean."""


def attained(admission: Admission, epsilon: Fraction, pair: Pair) -> Fraction:
    """P(event) - e^eps Q(event), from below; the true delta at `epsilon` is at least as large."""
    bits = BITS + 3 * int(epsilon)
    one, loss = whole(1, bits), exponential(epsilon, bits)
    more = admission.per_round, Fraction(0)
    moved, bare = (_never(admission.rounds, pair.atoms, pair.log_weight + unit, bits) for unit in more)
    first, second = (moved, bare) if pair.added else (bare, moved)
    never = first - loss * second
    near, far = _tails(admission, pair.threshold, bits)
    admitted = (one - first) * near - loss * (one - second) * far
    return Fraction(max(never.low, 0) + max(admitted.low, 0), 1 << bits)


def _never(rounds: int, atoms: int, log_weight: Fraction, bits: int) -> Interval:
    weight, product = exponential(log_weight, bits), whole(1, bits)
    for t in range(1, rounds + 1):
        others = whole(atoms - t, bits)
        product *= others * (others + weight).inverse()
    return product


def _tails(admission: Admission, threshold: Fraction, bits: int) -> tuple[Interval, Interval]:
    """Probabilities that the value is beyond the threshold; 1 without values."""
    if admission.values is None:
        return whole(1, bits), whole(1, bits)
    mu = root(single(admission), bits)
    low = upper_tail(threshold - Fraction(mu.low, 1 << bits), bits)[0]
    high = upper_tail(threshold - Fraction(mu.high, 1 << bits), bits)[1]
    return Interval(low, high, bits), Interval(*upper_tail(threshold, bits), bits)


def single(admission: Admission) -> Fraction:
    """(B / sigma)^2: one value moves by B, where (Delta_2 / sigma)^2 may count two."""
    if not isinstance(admission.values, GaussianLoss):
        raise UsageError("values", "their lower bound is known for Gaussian noise alone", "ask for the pure cost")
    two = admission.adjacency == "replacement" and admission.rounds != 1
    return admission.values.ratio / 2 if two else admission.values.ratio


@lru_cache(256)
def epsilon(admission: Admission, atoms: int, claim: Fraction) -> Fraction:
    """A loss that is certified not to be enough at delta = `claim`, of six digits rounded down; 0 where none is found.

    It is the larger one of a pair's and, where both atoms of a unit are certainly admitted, of the values alone.

    Args:
        admission: what is released; values are Gaussian or absent.
        atoms: m, above L.
        claim: delta, from above 0 to below 1.
    """
    refuse_certain(claim)

    def excess(loss: float) -> float:
        return log(max(_best(admission, atoms, loss)[0], 1e-320)) - log(float(claim))

    def exceeds(loss: Fraction) -> bool:
        return attained(admission, loss, _best(admission, atoms, float(loss))[1]) > claim

    found = Fraction(0)
    if admission.rounds and (near := falling_root(excess, float(admission.per_round))):
        found = greatest_decimal(exceeds, min(near, LARGEST))
    if not isinstance(admission.values, GaussianLoss):
        return found
    alone = tight_epsilon(admission.values.ratio, claim).low
    return max(found, greatest_decimal(lambda loss: loss <= alone, float(alone))) if alone else found


def _best(admission: Admission, atoms: int, loss: float) -> tuple[float, Pair]:
    """About the best pair at a loss, and what it attains."""
    return max(_best_in(admission, atoms, loss, added=added) for added in (False, True))


def _best_in(admission: Admission, atoms: int, loss: float, *, added: bool) -> tuple[float, Pair]:
    def lost(log_weight: Any) -> Any:
        return -_attains(admission, atoms, (log_weight, loss), added=added)[0]

    grid = log(atoms) + np.linspace(-REACH, REACH, GRID)
    best = int(np.argmin(lost(grid)))
    around = grid[max(best - 1, 0)], grid[min(best + 1, GRID - 1)]
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 - its import takes longer than that of this package

    y = float(minimize_scalar(lambda y: float(lost(np.array([y]))[0]), bounds=around, method="bounded").x)
    delta, threshold = (float(x[0]) for x in _attains(admission, atoms, (np.array([y]), loss), added=added))
    return delta, Pair(atoms, Fraction(y).limit_denominator(2**20), added, Fraction(threshold).limit_denominator(2**20))


def _attains(admission: Admission, atoms: int, at: tuple[Any, float], *, added: bool) -> tuple[Any, Any]:
    """delta and threshold for an array of y at a loss, in binary64; what overflows attains nothing."""
    with np.errstate(all="ignore"):
        delta, threshold = _in_binary64(admission, atoms, at, added=added)
    return np.nan_to_num(delta, nan=0.0, neginf=0.0), np.clip(np.nan_to_num(threshold), -FURTHEST, FURTHEST)


def _in_binary64(admission: Admission, atoms: int, at: tuple[Any, float], *, added: bool) -> tuple[Any, Any]:
    log_weights, loss = at
    others = atoms - np.arange(1.0, admission.rounds + 1)

    def log_never(y: Any) -> Any:
        return -np.log1p(np.exp(y)[:, None] / others).sum(axis=1)

    moved, bare = log_never(log_weights + float(admission.per_round)), log_never(log_weights)
    first, second = (moved, bare) if added else (bare, moved)
    never = np.maximum(np.exp(first) - np.exp(loss + second), 0)
    stay, leave = -np.expm1(first), -np.expm1(second)
    if admission.values is None:
        return never + np.maximum(stay - np.exp(loss) * leave, 0), 0 * stay
    mu = float(single(admission)) ** 0.5
    z = (loss - np.log(stay / leave)) / mu + mu / 2
    return never + np.maximum(stay * ndtr(mu - z) - np.exp(loss) * leave * ndtr(-z), 0), z
