"""Measured points of the trade-off between two errors, with a band that holds for all of them at once.

Whoever calls "with" at scores above a threshold errs in two ways: a false alarm on the corpus without the unit, a miss
on the corpus with it.  (epsilon, delta)-DP keeps false alarm >= 1 - delta - e^epsilon miss and the same with the two
exchanged (Wasserman and Zhou 2010).  The two error rates are values of two empirical distribution functions, which
differ from the true ones by more than sqrt(ln(2 / a) / (2 n)) anywhere with probability at most a (Dvoretzky, Kiefer
and Wolfowitz 1956, with the constant of Massart 1990).  So thresholds may be chosen after the runs.
"""

from math import log, sqrt
from typing import NamedTuple

import numpy as np

from dpspin_audits.statistics.guessing import Floats

POINTS = 24


class Errors(NamedTuple):
    """The errors at one threshold."""

    false_alarm: float
    miss: float


class Tradeoff(NamedTuple):
    """Measured errors; all true ones lie within the margins at once with probability at least 1 - alpha."""

    alpha: float
    points: tuple[Errors, ...]
    """In order of falling false alarms."""
    false_alarm_margin: float
    miss_margin: float


def tradeoff(without: Floats, with_: Floats, alpha: float) -> Tradeoff:
    """The trade-off at thresholds spread over the scores of both corpora.

    Args:
        without: scores of runs on the corpus without the unit, at least one.
        with_: scores of runs on the corpus with it, at least one.
        alpha: level of the band.
    """
    thresholds = np.unique(np.quantile(np.concatenate([without, with_]), np.linspace(0, 1, POINTS), method="lower"))
    points = tuple(
        Errors(float((without >= threshold).mean()), float((with_ < threshold).mean())) for threshold in thresholds
    )
    margins = (sqrt(log(4 / alpha) / (2 * len(scores))) for scores in (without, with_))
    return Tradeoff(alpha, points, *margins)
