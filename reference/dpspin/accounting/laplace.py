"""The exact delta of Laplace noise at a loss below its pure one: real-valued, and discrete on the lattice.

What one unit can move is worst in one coordinate under add/drop, and in two coordinates that move by B each under
replacement: merging coordinates that move the same way only helps an adversary, and no coordinate may move by more
than B (docs/accounting.md, "Laplace noise at a delta").  Both are attained, so that delta below is exact.

Real-valued noise of scale b, k = (Delta_1 / b - eps) / 2:

    one coordinate     1 - e^-k                    two equal ones     1 - (1 + k/2) e^-k

Discrete noise with P(x) = (1 - a) / (1 + a) a^|x|, a = e^(-1/b), moved by d steps in each coordinate (the law is due to
Ghosh, Roughgarden and Sundararajan 2009).  The best event collects the points whose loss exceeds eps:

    one coordinate     1 - (a^(d-k+1) + e^eps a^k) / (1 + a),    k = floor((d + eps b) / 2) + 1
    two equal ones     1 - (a^(w+1) (2 + a + w (1 - a)) + e^eps a^(2d-w) (1 + w (1 - a))) / (1 + a)^2,
                       w = ceil(d - eps b / 2) - 1
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from dpspin.accounting.certified import Ends
from dpspin.accounting.interval import Interval, exponential, rational, whole
from dpspin.adjacency import Adjacency

BITS = 512
ONE = whole(1, BITS)
NONE = Ends(Fraction(0), Fraction(0))


def ends(value: Interval) -> Ends:
    """A probability, between 0 and 1."""
    low, high = max(value.low, 0), min(value.high, 1 << value.bits)
    return Ends(Fraction(low, 1 << value.bits), Fraction(high, 1 << value.bits))


@dataclass(frozen=True, slots=True)
class RealLaplace:
    """Real-valued Laplace noise of one scale on every coordinate."""

    shift: Fraction
    """The most that one coordinate moves, in units of the scale b."""
    coordinates: int
    """How many move by that much at once: 1, or 2 under replacement."""

    @property
    def losses(self) -> tuple[Fraction, ...]:
        """The most that each coordinate loses."""
        return self.coordinates * (self.shift,)

    @property
    def pure(self) -> Fraction:
        """Delta_1 / b: from this epsilon on, delta is 0."""
        return self.coordinates * self.shift

    def delta(self, epsilon: Fraction) -> Ends:
        """The least delta at a loss of at least 0."""
        if epsilon >= self.pure:
            return NONE
        k = (self.pure - epsilon) / 2
        more = rational(k / 2, BITS) if self.coordinates > 1 else whole(0, BITS)
        return ends(ONE - exponential(-k, BITS) * (ONE + more))


@dataclass(frozen=True, slots=True)
class LatticeLaplace:
    """Discrete Laplace noise on the integers."""

    shift: int
    """d, the most that one coordinate moves, in steps of the lattice."""
    scale: Fraction
    """b in steps of the lattice."""
    coordinates: int
    """How many move by that much at once: 1, or 2 under replacement."""

    @property
    def losses(self) -> tuple[Fraction, ...]:
        """The most that each coordinate loses."""
        return self.coordinates * (self.shift / self.scale,)

    @property
    def pure(self) -> Fraction:
        """The loss from which delta is 0."""
        return self.coordinates * self.shift / self.scale

    def delta(self, epsilon: Fraction) -> Ends:
        """The least delta at a loss of at least 0."""
        if epsilon >= self.pure:
            return NONE
        ratio = exponential(-1 / self.scale, BITS)
        outside = self._two(epsilon, ratio) if self.coordinates > 1 else self._one(epsilon, ratio)
        return ends(ONE - outside)

    def _one(self, epsilon: Fraction, ratio: Interval) -> Interval:
        k = floor((self.shift + epsilon * self.scale) / 2) + 1
        near = exponential((k - self.shift - 1) / self.scale, BITS)
        far = exponential(epsilon - k / self.scale, BITS)
        return (near + far) * (ONE + ratio).inverse()

    def _two(self, epsilon: Fraction, ratio: Interval) -> Interval:
        w = ceil(self.shift - epsilon * self.scale / 2) - 1
        left = ONE + (ONE - ratio).times(w)
        near = exponential(-(w + 1) / self.scale, BITS) * (ONE + ratio + left)
        far = exponential(epsilon - (2 * self.shift - w) / self.scale, BITS) * left
        return (near + far) * (ONE + ratio).power(2).inverse()


def coordinates_of(adjacency: Adjacency, atoms: int) -> int:
    """How many coordinates one unit moves by B at the worst: two under replacement, where there are two."""
    return 2 if adjacency == "replacement" and atoms > 1 else 1
