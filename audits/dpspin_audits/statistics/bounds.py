"""Lower bounds on epsilon from labelled guesses.

For every run a fair coin decides whether the unit is in the corpus, and a rule fixed beforehand guesses the coin from
the output, or abstains.  If the mechanism is (epsilon, delta)-DP, then P(right) <= e^epsilon P(wrong) + delta for both
labels together (Steinke, Nasr and Jagielski 2023, one guess a run).  Runs are independent, so given `guessed` the
number of right guesses is binomial, with a rate of at most (e^epsilon + delta / pi) / (1 + e^epsilon), pi = P(guess);
Clopper and Pearson (1934) bound that rate from below.  For delta > 0, pi is bounded too, and both bounds share alpha.
"""

from math import exp, log, log1p
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

Floats = npt.NDArray[np.float64]

ABSTENTION_SHARE = 1 / 20
"""Part of alpha spent on the rate of not abstaining where delta > 0."""
POWER = 0.9
"""Power at which the smallest detectable epsilon is stated."""


class Guesses(NamedTuple):
    """What a rule did on independent labelled runs."""

    runs: int
    guessed: int
    """Runs on which the rule did not abstain."""
    right: int


def rate_at_least(successes: npt.ArrayLike, trials: npt.ArrayLike, alpha: float) -> Floats:
    """Clopper and Pearson's lower confidence bound on a binomial rate, elementwise, at confidence 1 - alpha."""
    k, n = np.asarray(successes, np.float64), np.asarray(trials, np.float64)
    return np.where(k > 0, betaincinv(np.maximum(k, 1), np.maximum(n - k + 1, 1), alpha), 0.0)


def rate_at_most(successes: int, trials: int, alpha: float) -> float:
    """Clopper and Pearson's upper confidence bound on a binomial rate at confidence 1 - alpha."""
    return 1 - float(rate_at_least(trials - successes, trials, alpha))


def epsilon_at_least(guesses: Guesses, delta: float, alpha: float) -> float:
    """The largest epsilon that the guesses refute at confidence 1 - alpha, or 0; `inf` never.

    Args:
        guesses: counts of a rule that was fixed before these runs.
        delta: delta of the claim (half of it for a rule that only ever guesses one label).
        alpha: probability that the bound exceeds the true epsilon, at most.
    """
    return float(epsilons_at_least(guesses.runs, np.float64(guesses.guessed), np.float64(guesses.right), delta, alpha))


def epsilons_at_least(runs: int, guessed: npt.ArrayLike, right: npt.ArrayLike, delta: float, alpha: float) -> Floats:
    """`epsilon_at_least` for many rules at once, elementwise; used on training runs to choose among them."""
    spent = alpha * ABSTENTION_SHARE if delta > 0 else 0.0
    rate = rate_at_least(right, guessed, alpha - spent)
    excess = delta / np.maximum(rate_at_least(guessed, runs, spent), 1e-300) if delta > 0 else 0.0
    with np.errstate(divide="ignore"):
        return np.asarray(np.maximum(np.log(np.maximum(rate - excess, 0)) - np.log1p(-rate), 0))


def detectable(guesses: Guesses, epsilon: float, delta: float, alpha: float) -> float | None:
    """The least true epsilon above `epsilon` that the same number of guesses would have refuted with power POWER.

    None where no outcome of so few guesses refutes the claim.
    """
    needed = _fewest_right(guesses, epsilon, delta, alpha)
    if needed is None:
        return None
    rate = float(betaincinv(needed, guesses.guessed - needed + 1, POWER))
    return log(rate) - log1p(-rate)


def _fewest_right(guesses: Guesses, epsilon: float, delta: float, alpha: float) -> int | None:
    """The fewest right guesses that refute `epsilon`; the bound grows with them, so bisection finds it."""
    low, high = -1, guesses.guessed
    if high == 0 or epsilon_at_least(guesses._replace(right=high), delta, alpha) <= epsilon:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        refutes = epsilon_at_least(guesses._replace(right=middle), delta, alpha) > epsilon
        low, high = (low, middle) if refutes else (middle, high)
    return high


def rate_allowed(epsilon: float, delta: float = 0.0) -> float:
    """(e^epsilon + delta) / (1 + e^epsilon): the largest rate of right guesses under (epsilon, delta)-DP."""
    return min((1 + delta * exp(-epsilon)) / (1 + exp(-epsilon)), 1.0)
