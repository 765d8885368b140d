"""From scores to guesses: one threshold, chosen on training runs and then fixed.

A score is positive where the output speaks for the corpus with the record.  A rule guesses "with" at scores of at least
the threshold, "without" at scores of at most minus the threshold, and abstains between.
"""

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


class Rule(NamedTuple):
    """When to guess, and what."""

    threshold: float
    """Above zero: a score of zero says nothing."""
    side: Side
    """Which guesses are allowed."""

    def delta(self, delta: float) -> float:
        """The delta that bounds this rule's right guesses: half of the claim's where only one label is guessed."""
        return delta if self.side == "both" else delta / 2


def choose(without: Floats, with_: Floats, delta: float, alpha: float) -> Rule:
    """The rule whose bound on the training runs is largest; among equals, the one that guesses most.

    Args:
        without: scores of training runs on the smaller corpus.
        with_: scores of training runs on the corpus with the record.
        delta: delta of the claim.
        alpha: level at which the rule will be used.
    """
    magnitudes = np.abs(np.concatenate([without, with_]))
    thresholds = np.unique(np.maximum(np.quantile(magnitudes, SHARES, method="lower"), LEAST))
    best, rule = (-1.0, -1.0), Rule(LEAST, "both")
    for side in SIDES:
        guessed, right = _counts(without, with_, thresholds, side)
        effective = Rule(LEAST, side).delta(delta)
        bounds = epsilons_at_least(len(magnitudes), guessed, right, effective, alpha)
        first = int(np.argmax(bounds))  # thresholds ascend, so the first of equals guesses most
        if (float(bounds[first]), float(guessed[first])) > best:
            best, rule = (float(bounds[first]), float(guessed[first])), Rule(float(thresholds[first]), side)
    return rule


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
