"""From scores to guesses: one threshold, chosen on training runs and then fixed.

A score is positive where the output speaks for the corpus with the unit.  A rule guesses "with" at scores of at least
the threshold, "without" at scores of at most minus the threshold, and abstains between.
"""

from collections.abc import Sequence
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
CANDIDATES_FROM = 20_000
"""Runs of either corpus whose scores are candidates for thresholds."""
LEAST = float(np.finfo(np.float64).tiny)
FEWEST = 100
"""A rule of a curve must guess at least so often on training runs, or once in twenty if they are few."""


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
    ordered, best, rule = (np.sort(without), np.sort(with_)), (-1.0, -1.0), Rule(LEAST, "both", point)
    for side in SIDES:
        guessed, right = _counts(ordered, thresholds, side)
        bounds = epsilons_at_least(runs, guessed, right, Rule(LEAST, side, point).delta, alpha)
        first = int(np.argmax(bounds))  # thresholds ascend, so the first of equals guesses most
        if (float(bounds[first]), float(guessed[first])) > best:
            best = float(bounds[first]), float(guessed[first])
            rule = Rule(float(thresholds[first]), side, point)
    return rule


def choose_among(without: Floats, with_: Floats, points: Sequence[Point]) -> Rule:
    """The rule and the point of a curve that the training runs exceed most, in standard errors."""
    runs, thresholds = len(without) + len(with_), _thresholds(without, with_)
    ordered, best, rule = (np.sort(without), np.sort(with_)), -np.inf, Rule(LEAST, "both", points[0])
    for side in SIDES:
        guessed, right = _counts(ordered, thresholds, side)
        for point in points:
            candidate = Rule(LEAST, side, point)
            errors = _excess(candidate, runs, guessed, right)
            if errors.max() > best:
                best, rule = float(errors.max()), candidate._replace(threshold=float(thresholds[int(errors.argmax())]))
    return rule


def excess(rule: Rule, found: Guesses) -> float:
    """By how many standard errors the guesses of a rule exceed its promise; `-inf` for a rule that hardly guesses."""
    return float(_excess(rule, found.runs, np.float64(found.guessed), np.float64(found.right)))


def _excess(rule: Rule, runs: int, guessed: npt.ArrayLike, right: npt.ArrayLike) -> Floats:
    """The same for many thresholds.

    (epsilon, delta)-DP bounds the mean of Z = [right] - e^epsilon [wrong] by delta, so the mean of Z - delta over its
    standard error is what fresh runs will find; half a wrong guess is added to every count.
    """
    factor, hits = exp(rule.point.epsilon), np.asarray(right, np.float64)
    wrong = np.asarray(guessed, np.float64) - hits + 0.5
    mean = (hits - factor * wrong) / runs - rule.delta
    variance = (hits + factor**2 * wrong) / runs - (mean + rule.delta) ** 2
    errors = mean / np.sqrt(np.maximum(variance, LEAST) / runs)
    return np.where(np.asarray(guessed) >= min(FEWEST, runs // 20), errors, -np.inf)


def _thresholds(without: Floats, with_: Floats) -> Floats:
    magnitudes = np.abs(np.concatenate([x[:: 1 + len(x) // CANDIDATES_FROM] for x in (without, with_)]))
    return np.unique(np.maximum(np.quantile(magnitudes, SHARES, method="lower"), LEAST))


def guess(rule: Rule, without: Floats, with_: Floats) -> Guesses:
    """Apply a fixed rule to the scores of fresh runs."""
    high, low = rule.side != "without", rule.side != "with"
    says_with = [int((scores >= rule.threshold).sum()) if high else 0 for scores in (without, with_)]
    says_without = [int((scores <= -rule.threshold).sum()) if low else 0 for scores in (without, with_)]
    return Guesses(len(without) + len(with_), sum(says_with) + sum(says_without), says_with[1] + says_without[0])


def _counts(ordered: tuple[Floats, Floats], thresholds: Floats, side: Side) -> tuple[Floats, Floats]:
    """(guessed, right) for every threshold; `ordered` are ascending scores without the unit and with it."""
    zero = np.zeros(len(thresholds))
    high = [_reaching(x, thresholds) if side != "without" else zero for x in ordered]
    low = [np.searchsorted(x, -thresholds, side="right") if side != "with" else zero for x in ordered]
    right = np.asarray(high[1] + low[0], np.float64)
    return np.asarray(right + high[0] + low[1]), right


def _reaching(ordered: Floats, thresholds: Floats) -> Floats:
    """How many scores reach each threshold."""
    return (len(ordered) - np.searchsorted(ordered, thresholds, side="left")).astype(np.float64)
