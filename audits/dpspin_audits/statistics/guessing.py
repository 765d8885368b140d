"""From scores to guesses: one threshold, chosen on training runs and then fixed.

A score is positive where the output speaks for the corpus with the unit.  A rule guesses "with" at scores of at least
the threshold, "without" at scores of at most minus the threshold, and abstains between.
"""

from collections.abc import Sequence
from itertools import product
from math import exp
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin_audits.statistics.bounds import Guesses, epsilons_at_least

Floats = npt.NDArray[np.float64]
Side = Literal["both", "with", "without"]

SIDES: tuple[Side, ...] = ("both", "with", "without")
SHARES = np.concatenate([np.linspace(0, 0.98, 50), 1 - np.geomspace(0.02, 1e-4, 25)])
"""Shares of training runs that a candidate threshold leaves out."""
LEAST = float(np.finfo(np.float64).tiny)
FEWEST = 100
"""A rule of a curve must guess at least so often on training runs."""


class Point(NamedTuple):
    """One (epsilon, delta) that a claim promises."""

    epsilon: float
    delta: float


class Rule(NamedTuple):
    """When to guess, and what; and the promise that the guesses are held against."""

    threshold: float
    """Above zero: a score of zero says nothing."""
    side: Side
    """Which guesses are allowed."""
    point: Point

    @property
    def delta(self) -> float:
        """The delta that bounds this rule's right guesses: half of the point's where only one label is guessed."""
        return self.point.delta if self.side == "both" else self.point.delta / 2


def choose(without: Floats, with_: Floats, point: Point, alpha: float) -> Rule:
    """The rule whose bound on the training runs is largest; among equals, the one that guesses most.

    Args:
        without: scores of training runs on the corpus without the unit.
        with_: scores of training runs on the corpus with it.
        point: what is claimed.
        alpha: level at which the rule will be used.
    """
    runs, thresholds = len(without) + len(with_), _thresholds(without, with_)
    best, rule = (-1.0, -1.0), Rule(LEAST, "both", point)
    for side in SIDES:
        guessed, right = _counts(without, with_, thresholds, side)
        bounds = epsilons_at_least(runs, guessed, right, Rule(LEAST, side, point).delta, alpha)
        first = int(np.argmax(bounds))  # thresholds ascend, so the first of equals guesses most
        if (float(bounds[first]), float(guessed[first])) > best:
            best = float(bounds[first]), float(guessed[first])
            rule = Rule(float(thresholds[first]), side, point)
    return rule


def choose_among(without: Floats, with_: Floats, points: Sequence[Point]) -> Rule:
    """The rule and the point of a curve that the training runs exceed most, in standard errors.

    (epsilon, delta)-DP bounds the mean of Z = [right] - e^epsilon [wrong] by delta, so the mean of Z - delta over its
    standard deviation is what fresh runs will find; half a wrong guess is added to every count.
    """
    runs, thresholds = len(without) + len(with_), _thresholds(without, with_)
    best, rule = -np.inf, Rule(LEAST, "both", points[0])
    for side, point in product(SIDES, points):
        guessed, right = _counts(without, with_, thresholds, side)
        candidate, factor = Rule(LEAST, side, point), exp(point.epsilon)
        wrong = guessed - right + 0.5
        mean = (right - factor * wrong) / runs - candidate.delta
        deviation = np.sqrt((right + factor**2 * wrong) / runs - (mean + candidate.delta) ** 2)
        excess = np.where(guessed >= FEWEST, mean / np.maximum(deviation, LEAST), -np.inf)
        if excess.max() > best:
            best, rule = float(excess.max()), candidate._replace(threshold=float(thresholds[int(excess.argmax())]))
    return rule


def _thresholds(without: Floats, with_: Floats) -> Floats:
    magnitudes = np.abs(np.concatenate([without, with_]))
    return np.unique(np.maximum(np.quantile(magnitudes, SHARES, method="lower"), LEAST))


def guess(rule: Rule, without: Floats, with_: Floats) -> Guesses:
    """Apply a fixed rule to the scores of fresh runs."""
    guessed, right = _counts(without, with_, np.array([rule.threshold]), rule.side)
    return Guesses(len(without) + len(with_), int(guessed[0]), int(right[0]))


def _counts(without: Floats, with_: Floats, thresholds: Floats, side: Side) -> tuple[Floats, Floats]:
    """(guessed, right) for every threshold."""
    zero = np.zeros(len(thresholds))
    right_with, wrong_with = (_reaching(x, thresholds) if side != "without" else zero for x in (with_, without))
    right_without, wrong_without = (_reaching(-x, thresholds) if side != "with" else zero for x in (without, with_))
    right = right_with + right_without
    return right + wrong_with + wrong_without, right


def _reaching(scores: Floats, thresholds: Floats) -> Floats:
    """How many scores reach each threshold."""
    return (len(scores) - np.searchsorted(np.sort(scores), thresholds, side="left")).astype(np.float64)
