"""Exact admission: rounds of the exponential mechanism, without replacement (paper section 5.6).

A round admits atom j of those left with probability exp(eta C_j) / sum_i exp(eta C_i), by inversion as in
`dpspin.curator.noise`.  The atoms left stand in order of descending score, the lower index first in a tie; F(k) is the
share of the first k + 1 of them, and the least k with U < F(k) is admitted.  Scores enter as their distance to the
largest score left, so that no sum overflows and none vanishes.

One word begins the U of each round, row by row.  Words that refine follow in the order in which they are needed: run by
run, and in each round by round.  The fast path repeats a whole run exactly when one of its rounds is in doubt; rounds
that float64 decides would have taken no further word, so both paths take the same words and admit the same atoms.
Time depends on U and on the scores.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from dpspin.curator.noise import Bits, Integers, Words, least
from dpspin.enclosure import exp_neg
from dpspin.errors import ImpossibleError, UsageError
from dpspin.kernel import highest

SLACK = 2.0**-44
"""Bound on the float64 error of F(k), for each atom; 512 times the worst seen at 1.3 million thresholds.

It can be reckoned: an atom errs by 2^-52 in its weight, where exp(-x) suffers x 2^-52 from x, and by 2^-53 in being
added, both once in F(k) and once in the total; U errs by 2^-52.  All is below 2^-49.
"""
LARGEST_EXPONENT = 2**40
LARGEST_GAP = 2**53
"""Integers up to here are exact in float64; scores that lie further apart are left to the exact path."""


def peel(scores: list[int], exponent: Fraction, shape: tuple[int, int], bits: Bits, *, rigorous: bool) -> Integers:
    """Admit atoms round by round, exact in law.

    Args:
        scores: C, in lattice units: any integers.
        exponent: eta for each lattice unit, rational.
        shape: (runs, rounds): how many times, and how many atoms each time.
        bits: source of uniform words.
        rigorous: True decides every round in integer arithmetic (releases); False lets float64 decide the clear cases.

    Returns:
        int64[runs, rounds]: atoms in order of admission, distinct in each row.

    Raises:
        UsageError: when the exponent is outside (0, 2^40].
        ImpossibleError: when a score is not an integer, or rounds outnumber atoms.
    """
    if not 0 < exponent <= LARGEST_EXPONENT:
        raise UsageError("exponent of admission", f"{exponent}", "choose epsilon so that it lies in (0, 2^40]")
    if not all(type(score) is int for score in scores):
        raise ImpossibleError("a score is not an integer")
    runs, rounds = shape
    if rounds > len(scores):
        raise ImpossibleError(f"{rounds} rounds of admission among {len(scores)} atoms")
    order = highest(scores, len(scores))
    gaps = [scores[order[0]] - scores[atom] for atom in order]
    words = bits.words(runs * rounds).reshape(shape)
    places, clear = _guess(gaps, float(exponent), words)
    for run in np.flatnonzero(~clear | rigorous):
        places[run] = _admitted(gaps, exponent, words[run].tolist(), bits)
    return np.asarray(order, np.int64)[places]


def _admitted(gaps: list[int], exponent: Fraction, words: list[int], bits: Bits) -> list[int]:
    """Places of the atoms of one run; gaps to the highest score, ascending."""
    left = list(range(len(gaps)))
    places = []
    for word in words:
        shares = _shares([gaps[place] - gaps[left[0]] for place in left], exponent)
        places.append(left.pop(least(shares, lambda *_: 0, word, 64, bits)))
    return places


def _shares(gaps: list[int], exponent: Fraction) -> Callable[[int, int], tuple[int, int]]:
    """F of one round: (k, p) to an enclosure of 2^p times the share of weights exp(-exponent gap) up to k."""

    @cache
    def sums(p: int) -> tuple[list[int], list[int]]:
        lows, highs = zip(*(exp_neg(exponent * gap, p) for gap in gaps), strict=True)
        return list(accumulate(lows)), list(accumulate(highs))

    def cumulative(k: int, p: int) -> tuple[int, int]:
        if k == len(gaps) - 1:
            return 1 << p, 1 << p
        low, high = sums(p)
        return (low[k] << p) // high[-1], -((-high[k] << p) // low[-1])

    return cumulative


def _guess(gaps: list[int], exponent: float, words: Words) -> tuple[Integers, npt.NDArray[np.bool_]]:
    """Places from float64, int64[runs, rounds], and which runs are beyond doubt in every round."""
    runs, rounds = words.shape
    gap = np.array([min(gap, LARGEST_GAP) for gap in gaps], np.float64)
    weights = np.exp(-exponent * np.maximum(gap - gap[:rounds, None], 0))  # row i: where place i is the first left
    left = np.ones((runs, len(gaps)), np.bool_)
    row, places = np.arange(runs), np.empty(words.shape, np.int64)
    clear = np.full(runs, gaps[-1] <= LARGEST_GAP)
    for i in range(rounds):
        sums = np.cumsum(weights[left.argmax(axis=1)] * left, axis=1)
        total = sums[:, -1]
        target = (words[:, i] + 0.5) * 2.0**-64 * total
        place = np.minimum((sums <= target[:, None]).sum(axis=1), len(gaps) - 1)
        below = np.where(place > 0, sums[row, place - 1], -np.inf)
        clear &= np.minimum(target - below, sums[row, place] - target) > SLACK * len(gaps) * total
        places[:, i] = place
        left[row, place] = False
    return places, clear
