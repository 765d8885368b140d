"""The anytime-valid test: what a bettor gains who bets against a promise, run after run.

If a mechanism is (epsilon, delta)-DP, then Z = [right] - e^epsilon [wrong] - delta of a labelled guess has a mean of at
most zero (the inequality of `bounds`), whatever was seen before.  A bettor who stakes a share lambda of the wealth, at
most 1 / (e^epsilon + delta) and chosen before the run, therefore owns a nonnegative supermartingale, the product of
1 + lambda Z, and it ever reaches 1 / alpha with probability at most alpha (Ville 1939).  So it may be watched after
every run, and stopped at any time (Howard, Ramdas, McAuliffe and Sekhon 2021; Waudby-Smith and Ramdas 2024).

Nobody knows the best lambda.  The wealth is spread over several, and a part of it is spread anew before every block
(Herbster and Warmuth 1998): an average of supermartingales is one, and moving wealth is not gaining any.
"""

from dataclasses import dataclass, field
from math import exp, log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from dpspin_audits.statistics.bounds import Guesses
from dpspin_audits.statistics.guessing import Rule, excess

Floats = npt.NDArray[np.float64]
Outcomes = npt.NDArray[np.int8]
"""int8[runs], in the order of the runs: 1 for a right guess, -1 for a wrong one, 0 for none."""

STAKES = np.array([0.5, 0.09, 0.026, 0.008])
"""Stakes that are always played, as shares of the largest: for faults that double a loss, and for ever smaller ones."""
FOUND = np.array([1.0, 0.5])
"""Stakes, as shares of the one that earlier runs recommend."""
WEIGHTS = np.array([0.08, 0.29, 0.40, 0.19, 0.03, 0.01])
"""How wealth is spread at first; small faults cost most runs, so most wealth waits for them."""
SPREAD = 0.002
"""Part of the wealth that is spread anew before every block."""
BOLDEST = 0.5
"""Largest recommended stake, as a share of the largest that cannot ruin."""
LOOKS = 512
"""Most looks at the wealth within one block; fewer looks are always valid."""


class Look(NamedTuple):
    """The wealth after so many runs."""

    runs: int
    log_wealth: float
    """Natural logarithm; the bettor starts with a wealth of 1."""


@dataclass(slots=True)
class Capital:
    """The wealth of one bettor against one promise."""

    alpha: float
    """The wealth 1 / alpha refutes the promise."""
    runs: int = 0
    largest: float = 0.0
    """Logarithm of the largest wealth so far."""
    reached: int | None = None
    """Runs after which the wealth was first seen to have reached 1 / alpha."""
    path: list[Look] = field(default_factory=lambda: [Look(0, 0.0)])
    """The wealth after every block."""
    _shares: Floats = field(default_factory=lambda: np.log(WEIGHTS))

    def play(self, rule: Rule, stake: float, outcomes: Outcomes) -> None:
        """Bet on a block of runs.

        Args:
            rule: fixed before these runs, and with it the promise (epsilon, delta) that is bet against.
            stake: recommended lambda, as a share of the largest possible; from `recommended` on earlier runs.
            outcomes: what the rule did on these runs, in their order.
        """
        looks = np.unique(np.linspace(0, len(outcomes), min(LOOKS, len(outcomes)) + 1).astype(np.int64))[1:]
        if not len(looks):
            return
        right, wrong = (np.cumsum(outcomes == sign)[looks - 1] for sign in (1, -1))
        spread = logsumexp(self._shares) + np.log(WEIGHTS)
        shares = np.logaddexp(self._shares + log(1 - SPREAD), spread + log(SPREAD))
        gains = _gains(rule, stake)
        logs = shares + np.stack([right, wrong, looks - right - wrong], axis=1) @ gains
        self._shares = np.asarray(logs[-1])
        self._note(looks, np.asarray(logsumexp(logs, axis=1)))

    def _note(self, looks: npt.NDArray[np.int64], wealth: Floats) -> None:
        hit = np.flatnonzero(wealth >= log(1 / self.alpha))
        if self.reached is None and len(hit):
            self.reached = self.runs + int(looks[hit[0]])
        self.largest = max(self.largest, float(wealth.max()))
        self.runs += int(looks[-1])
        self.path.append(Look(self.runs, float(wealth[-1])))


def _gains(rule: Rule, stake: float) -> Floats:
    """float64[3, stakes]: logarithms of 1 + lambda Z for a right guess, a wrong one and none."""
    factor, delta = exp(rule.point.epsilon), rule.delta
    largest = 1 / (factor + delta)
    stakes = largest * np.concatenate([STAKES, min(max(stake, 0.0), BOLDEST) * FOUND])
    return np.stack([np.log1p(stakes * (1 - delta)), np.log1p(-stakes * (factor + delta)), np.log1p(-stakes * delta)])


def recommended(rule: Rule, found: Guesses) -> float:
    """The stake that would have gained most on earlier runs, to second order: mean over mean square of Z.

    Returns:
        a share of the largest stake; half a wrong guess is added, and the share shrinks while the mean is not yet
        larger than its standard error.
    """
    factor, wrong = exp(rule.point.epsilon), found.guessed - found.right + 0.5
    mean = (found.right - factor * wrong) / found.runs - rule.delta
    square = (found.right + factor**2 * wrong) / found.runs
    errors = max(excess(rule, found), 0.0)
    return mean / square * (factor + rule.delta) * errors**2 / (1 + errors**2) if errors > 0 else 0.0
