"""The loss as a single number mu: the shift of a unit normal that is as easy to tell.

A mechanism is mu-GDP if its outputs on adjacent corpora are no easier to tell apart than N(0, 1) and N(mu, 1); then it
keeps (epsilon, delta(epsilon; mu)) at every epsilon (Dong, Roth and Su 2022, corollary 1), delta being the tight one of
Balle and Wang (2018, theorem 8).  So a lower bound on delta at one epsilon is a lower bound on mu.
"""

from math import exp

from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr

from dpspin_audits.statistics.bounds import ABSTENTION_SHARE, Guesses, rate_at_least
from dpspin_audits.statistics.guessing import Rule

LEAST_MU, LARGEST_MU = 1e-3, 60.0
"""Smaller bounds are given as 0; larger ones as this."""


def delta_at(epsilon: float, mu: float) -> float:
    """The least delta at which mu-GDP implies (epsilon, delta)-DP, in binary64."""
    return float(ndtr(mu / 2 - epsilon / mu) - exp(epsilon + float(log_ndtr(-mu / 2 - epsilon / mu))))


def delta_at_least(rule: Rule, guesses: Guesses, alpha: float) -> float:
    """The largest delta, at the epsilon of a rule that was fixed before these runs, that they refute; or 0.

    P(right) - e^epsilon P(wrong) is the rate of guessing times (r (1 + e^epsilon) - e^epsilon), r = P(right | guess);
    Clopper and Pearson (1934) bound both factors from below and share alpha.  For a rule that guesses one label only,
    delta is twice that.
    """
    spent = alpha * ABSTENTION_SHARE
    rate = float(rate_at_least(guesses.right, guesses.guessed, alpha - spent)) if guesses.guessed else 0.0
    often = float(rate_at_least(guesses.guessed, guesses.runs, spent))
    factor = exp(rule.point.epsilon)
    return max(0.0, often * (rate * (1 + factor) - factor)) * (1 if rule.side == "both" else 2)


def mu_at_least(rule: Rule, guesses: Guesses, alpha: float) -> float:
    """The largest mu that the guesses refute at confidence 1 - alpha, or 0."""
    epsilon, delta = rule.point.epsilon, delta_at_least(rule, guesses, alpha)
    if delta <= delta_at(epsilon, LEAST_MU):
        return 0.0
    if delta >= delta_at(epsilon, LARGEST_MU):
        return LARGEST_MU
    return float(brentq(lambda mu: delta_at(epsilon, mu) - delta, LEAST_MU, LARGEST_MU, xtol=1e-12))
