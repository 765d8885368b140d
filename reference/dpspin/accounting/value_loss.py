"""The privacy loss of noisy values, and what exponentials of what it leaves of epsilon are worth on average.

Values follow the admission of atoms.  Their loss g has a law that is the same for every admitted set and in either
direction; x = epsilon - g is what it leaves.
"""

from dataclasses import dataclass
from fractions import Fraction

from dpspin.accounting.certified import upper_tail
from dpspin.accounting.interval import Interval, exponential, rational, root, whole
from dpspin.errors import UsageError


@dataclass(frozen=True, slots=True)
class GaussianLoss:
    """g is normal with variance (Delta_2 / sigma)^2 and half of that as mean."""

    ratio: Fraction
    """(Delta_2 / sigma)^2, positive."""

    def __post_init__(self) -> None:
        """Refuse values that do not move."""
        _positive(self.ratio)

    def mean(self, slope: Fraction, offset: Fraction, within: tuple[Fraction | None, Fraction], epsilon: Fraction,
             bits: int) -> Interval:  # fmt: skip
        """E[exp(slope x + offset); low < x <= high] for x = epsilon - g; `within` is (low, high).

        x is normal; the factor exp(slope x) moves its mean by slope times the variance.
        """
        mean, per_sigma = epsilon - self.ratio / 2, root(1 / self.ratio, bits)
        size = exponential(offset + slope * mean + slope**2 * self.ratio / 2, bits)
        moved, (low, high) = mean + slope * self.ratio, within
        beyond = _tail((high - moved), per_sigma)
        return size * ((whole(1, bits) if low is None else _tail(low - moved, per_sigma)) - beyond)


def _tail(distance: Fraction, per_sigma: Interval) -> Interval:
    """P(N(0, 1) > distance / sigma): its slope is below 1, so that one evaluation serves both ends of the quotient."""
    z = rational(distance, per_sigma.bits) * per_sigma
    low, high = upper_tail(Fraction(z.low, 1 << z.bits), z.bits)
    return Interval(max(low - (z.high - z.low), 0), high, z.bits)


@dataclass(frozen=True, slots=True)
class LaplaceLoss:
    """g = s with probability 1/2, -s with e^-s / 2, and the density e^((g-s)/2) / 4 between.

    It is the loss of one real-valued Laplace variable that moves by Delta_1, and dominates any number of them that move
    by Delta_1 together.
    """

    rate: Fraction
    """s = Delta_1 / b, positive."""
    step: Fraction = Fraction(0)
    """1 / b for one step of the lattice on which discrete noise lives: its profile is the real one's chord between
    losses that lie two steps apart, and so below the real one two steps earlier.  0 for real-valued noise."""

    def __post_init__(self) -> None:
        """Refuse values that do not move."""
        _positive(self.rate)

    def mean(self, slope: Fraction, offset: Fraction, within: tuple[Fraction | None, Fraction], epsilon: Fraction,
             bits: int) -> Interval:  # fmt: skip
        """E[exp(slope x + offset); low < x <= high] for x = epsilon - g; `within` is (low, high)."""
        (low, high), epsilon = within, epsilon - 2 * self.step
        total, s = whole(0, bits), self.rate
        for x, log_weight in ((epsilon - s, Fraction(0)), (epsilon + s, -s)):
            if x <= high and (low is None or low < x):
                total += exponential(slope * x + offset + log_weight, bits) * rational(Fraction(1, 2), bits)
        first = epsilon - s if low is None else max(low, epsilon - s)
        last = min(high, epsilon + s)
        if first >= last:
            return total
        # the density of x is e^((epsilon-x-s)/2) / 4
        tilt, constant = slope - Fraction(1, 2), offset + (epsilon - s) / 2
        if tilt == 0:
            return total + exponential(constant, bits) * rational((last - first) / 4, bits)
        ends = exponential(constant + tilt * last, bits) - exponential(constant + tilt * first, bits)
        return total + ends * rational(1 / (4 * tilt), bits)


ValueLoss = GaussianLoss | LaplaceLoss


def _positive(value: Fraction) -> None:
    if value <= 0:
        raise UsageError("values", "their noise is not finite, or they do not move", "write positive numbers")
