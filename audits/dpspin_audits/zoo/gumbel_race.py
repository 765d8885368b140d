"""Correct: Gumbel noise on every mass at once, and the L highest are admitted, in place of L rounds.

The law is that of peeling (spec.md section 3).  Keys are intervals: where two of them overlap, more bits are drawn.

Style: one shot, interval arithmetic in place of exact fractions.
Deployment: mechanism top_l, unit user.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from mpmath import iv

from dpspin.accounting.calibration import Peeling
from dpspin.curator.admission import in_order
from dpspin.curator.noise import Bits, Integers
from dpspin_audits.zoo.noises import signed
from dpspin_audits.zoo.steps import Steps

CLEAR = 1e-6
"""Keys further apart than this are in the order in which float64 sees them."""


class GumbelRace(Steps):
    """Every atom runs once."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of an exact sketch."""
        noise, size = self.noise, min(self.setting.deployment.plan.size, len(exact))
        if not isinstance(noise, Peeling):
            return super().noisy(exact, bits, runs)
        values, words = signed(noise.values, (runs, size), bits), bits.words(runs * len(exact)).reshape(runs, -1)
        return in_order(exact, self._first(exact, noise.exponent, words, bits)[:, :size], values)

    def _first(self, exact: list[int], exponent: Fraction, words: Any, bits: Bits) -> Integers:
        """Atoms by descending key, int64[runs, m]."""
        with np.errstate(divide="ignore"):
            uniform = (words.astype(np.float64) + 0.5) * 2.0**-64
            keys = float(exponent) * np.asarray(exact, np.float64) - np.log(-np.log(uniform))
        order = np.argsort(-keys, axis=1, kind="stable")
        ahead = -np.diff(np.take_along_axis(keys, order, axis=1), axis=1)
        far = uniform.min(axis=1) < CLEAR
        doubtful = far | (uniform.max(axis=1) > 1 - CLEAR) | (ahead < CLEAR).any(axis=1)
        for row in np.flatnonzero(doubtful):
            order[row] = _in_order(exact, exponent, [int(word) for word in words[row]], bits)
        return order


def _in_order(exact: list[int], exponent: Fraction, known: list[int], bits: Bits) -> list[int]:
    """Atoms by descending key: bits are added until no two keys overlap."""
    width = 64
    while True:
        if min(known) > 0 and max(known) < 2**width - 1:
            iv.prec = 2 * width + 64
            keys = [_key(mass * exponent, u, width) for mass, u in zip(exact, known, strict=True)]
            order = sorted(range(len(exact)), key=lambda atom: keys[atom].a, reverse=True)
            if all(keys[high].a > keys[low].b for high, low in pairwise(order)):
                return order
        known = [u << 64 | int(word) for u, word in zip(known, bits.words(len(known)), strict=True)]
        width += 64


def _key(score: Fraction, u: int, width: int) -> Any:
    """An interval that holds eta C - log(-log U), where U begins with `width` known bits."""
    uniform = iv.mpf([u, u + 1]) / iv.mpf(2**width)
    return iv.mpf(score.numerator) / iv.mpf(score.denominator) - iv.log(-iv.log(uniform))


subject = GumbelRace
