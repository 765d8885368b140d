"""The loss that two recordings of queries imply: how far the values moved, over the stated scale of their noise.

Both recordings come from frozen answers, so every query but the first is asked in the same public history.  Then:

- Laplace noise of scale b on values that moved by d: an answer beyond all of them is e^(|d|_1 / b) times likelier on
  one side, and no answer tells more (Dwork et al. 2006).
- Gaussian noise: delta(eps; |d|_2 / sigma), attained (Balle and Wang 2018, Theorem 8); queries add up in squares.
- Admission: the admitted order has one exact probability on each side; their log-ratio is a loss that occurs.

All figures are lower bounds on what the pair really loses, so none of them accuses a release that keeps its claim.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import exp, inf, isfinite, log
from typing import NamedTuple

from dpspin.accounting.gaussian import tight_delta
from dpspin_audits.noise.source import Asked

ROUNDING = 2.0**-20
"""Relative excess that is put down to float64."""


class Implied(NamedTuple):
    """What a pair loses; ratios without a unit."""

    laplace: Fraction
    """Sum over queries of |d|_1 / b."""
    shifted: int
    """Values with Laplace noise that moved."""
    gaussian: Fraction
    """Sum over queries of (|d|_2 / sigma)^2."""
    chances: tuple[float, float]
    """Log-probability of the admitted order on each side."""
    spread: Fraction
    """Largest exponent * (max d - min d) of a query of admission."""
    whole: bool
    """Whether all values are integers: then nothing but admission was rounded."""

    @property
    def admission(self) -> float:
        """Loss of the admitted order."""
        return abs(self.chances[1] - self.chances[0])

    @property
    def probability(self) -> float:
        """Of the admitted order, on the side where it is likelier."""
        return exp(max(self.chances))

    @property
    def pure(self) -> float:
        """Loss of admission and of values with Laplace noise."""
        return self.admission + float(self.laplace)

    def epsilon(self, delta: float) -> float:
        """The largest eps at which (eps, delta) is contradicted."""
        if delta == 0:
            return inf if self.gaussian else self.pure
        event = self.probability * 2.0**-self.shifted
        pure = self.pure + log(1 - delta / event) if event > delta else 0.0
        return max(pure, self._gaussian(delta), 0.0)

    def exceeds(self, epsilon: Fraction, delta: Fraction) -> bool:
        """Whether a claim is contradicted; exact where the loss is a rational number."""
        if not delta and not self.gaussian and not self.admission:
            return self.laplace > epsilon * (1 if self.whole else 1 + Fraction(ROUNDING))
        return self.epsilon(float(delta)) > float(epsilon) * (1 + ROUNDING)

    def _gaussian(self, delta: float) -> float:
        """The loss at which the Gaussian part alone, or after the admitted order, exceeds delta."""
        if not self.gaussian or self.probability <= delta:
            return 0.0
        low, high = 0.0, float(self.gaussian) + 40 * float(self.gaussian) ** 0.5 + 1
        for _ in range(40):
            middle = (low + high) / 2
            above = float(tight_delta(Fraction(middle), self.gaussian)) > delta / self.probability
            low, high = (middle, high) if above else (low, middle)
        return low + self.admission if low else 0.0


NOTHING = Implied(Fraction(0), 0, Fraction(0), (0.0, 0.0), Fraction(0), whole=True)
"""The loss of two corpora that cannot be told apart."""


def implied(without: Sequence[Asked], with_: Sequence[Asked]) -> Implied | None:
    """The loss between two recordings; None where the queries themselves differ, or a value is not finite."""
    if [asked.query for asked in without] != [asked.query for asked in with_]:
        return None
    total = NOTHING
    for left, right in zip(without, with_, strict=True):
        if not all(isfinite(value) for value in (*left.values, *right.values)):
            return None
        total = _more(total, left, right)
    return total


def _more(total: Implied, left: Asked, right: Asked) -> Implied:
    moved = [Fraction(new) - Fraction(old) for old, new in zip(left.values, right.values, strict=True)]
    whole = total.whole and all(type(value) is int for value in (*left.values, *right.values))
    scale = left.query.scale
    if left.query.family == "laplace":
        return total._replace(
            laplace=total.laplace + sum(map(abs, moved)) / scale,
            shifted=total.shifted + sum(map(bool, moved)),
            whole=whole,
        )
    if left.query.family == "gaussian":
        squares = sum((step * step for step in moved), Fraction(0))
        return total._replace(gaussian=total.gaussian + squares / scale**2, whole=whole)
    before, after = (_log_chance(asked, float(scale)) for asked in (left, right))
    spread = scale * (max(moved, default=Fraction(0)) - min(moved, default=Fraction(0)))
    return total._replace(
        chances=(total.chances[0] + before, total.chances[1] + after),
        spread=max(total.spread, spread),
        whole=whole,
    )


def _log_chance(asked: Asked, exponent: float) -> float:
    """The log-probability of the admitted order."""
    weights = [exponent * float(score) for score in asked.values]
    left, total = set(range(len(weights))), 0.0
    for position in asked.answer:
        top = max(weights[other] for other in left)
        total += weights[position] - top - log(sum(exp(weights[other] - top) for other in left))
        left.remove(position)
    return total
