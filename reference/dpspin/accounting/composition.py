"""Several releases whose noise is fixed in advance: one curve of the whole, sharper than the sum of their losses.

Each release may be chosen in view of the earlier ones, but the list of their privacy parameters may not.  A release of
pure loss e tells no more than a randomised response of that loss, and Gaussian noise no more than one normal variable
that moves by mu; adaptive composition tells no more than all of these side by side (Zhu, Dong and Wang 2022, theorem
10; for pure losses alone Kairouz, Oh and Viswanath 2015, Murtagh and Vadhan 2016).  Over the outcomes S of the
responses, with l(S) the loss of S and D the delta of the normal variable at any loss, also a negative one,

    delta(eps) <= sum over S of P(S) D(eps - l(S)),   D(-x) = 1 - e^-x (1 - D(x)).

Where the outcomes are too many, a pure loss e counts as a normal variable that moves by mu = 2 Phi^-1(e^e / (1 + e^e)):
its trade-off curve is convex and meets the two lines of the randomised response at their ends, so that it lies below.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from math import comb, prod
from operator import add, mul

from dpspin.accounting.certified import Ends, units
from dpspin.accounting.interval import Interval, exponential, whole
from dpspin.accounting.laplace import ends
from dpspin.enclosure import exp_neg, normal_tail
from dpspin.errors import UsageError

MOST_OUTCOMES = 64
BITS = 192
ONE = whole(1, BITS)
DIGITS = 10**12
LARGEST_LOSS = 1 << 10


@dataclass(frozen=True, slots=True)
class Composition:
    """The releases as the parameters of what dominates them."""

    losses: tuple[Fraction, ...]
    """Pure losses."""
    mu_squared: Fraction
    """Sum of (Delta_2 / sigma)^2 over the Gaussian releases, 0 where there is none."""

    @property
    def pure(self) -> Fraction | None:
        """The loss from which delta is 0, where there is one."""
        return None if self.mu_squared else sum(self.losses, Fraction(0))

    def delta(self, epsilon: Fraction) -> Ends:
        """Ends of an upper bound on delta at a loss of at least 0."""
        counts = Counter(loss for loss in self.losses if loss)
        if prod(count + 1 for count in counts.values()) > MOST_OUTCOMES:
            moved = sum((count * pure_mu_squared(loss) for loss, count in counts.items()), self.mu_squared)
            return ends(_normal(epsilon, moved))
        parts = [weight * _normal(epsilon - loss, self.mu_squared) for weight, loss in _outcomes(counts)]
        return ends(reduce(add, parts))


def _outcomes(counts: Counter[Fraction]) -> Iterator[tuple[Interval, Fraction]]:
    """Probability and loss of each outcome, equal responses counted together."""
    each = [[(j, n, loss) for j in range(n + 1)] for loss, n in sorted(counts.items())]
    for chosen in product(*each):
        yield (
            reduce(mul, (_binomial(*one) for one in chosen), ONE),
            sum(((2 * j - n) * loss for j, n, loss in chosen), Fraction(0)),
        )


@cache
def _binomial(j: int, n: int, loss: Fraction) -> Interval:
    """P(j of n responses are right): C(n, j) e^(-(n - j) loss) / (1 + e^-loss)^n."""
    share = (ONE + exponential(-loss, BITS)).power(n).inverse()
    return exponential((j - n) * loss, BITS).times(comb(n, j)) * share


def _normal(epsilon: Fraction, mu_squared: Fraction) -> Interval:
    """D at any loss; for mu = 0 what tells nothing."""
    if epsilon < 0:
        return ONE - exponential(epsilon, BITS) * (ONE - _normal(-epsilon, mu_squared))
    if mu_squared == 0:
        return whole(0, BITS)
    more = int(3 * epsilon / 2)
    low, high = units(epsilon, mu_squared, BITS + more)
    return Interval(low >> more, (high >> more) + 1, BITS)


@cache
def pure_mu_squared(loss: Fraction) -> Fraction:
    """mu^2 of a normal variable that tells at least as much as a pure loss does, from above: to 12 digits for a loss
    above 2^-128.

    Raises:
        UsageError: for a loss above LARGEST_LOSS.
    """
    if loss > LARGEST_LOSS:
        raise UsageError("scale", f"a loss above {LARGEST_LOSS} bounds nothing", "add more noise")
    if loss == 0:
        return Fraction(0)
    p = BITS + 2 * int(loss)
    low, high = exp_neg(loss, p)
    wrong = 2 * (low << p) // ((1 << p) + high)  # 2 e^-loss / (1 + e^-loss) from below
    below, above = Fraction(0), Fraction(1)
    while normal_tail(above, p)[1] > wrong:
        above *= 2
    while (above - below) * DIGITS > above:
        middle = (below + above) / 2
        below, above = (below, middle) if normal_tail(middle, p)[1] <= wrong else (middle, above)
    return 4 * above**2
