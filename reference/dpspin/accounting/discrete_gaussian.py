"""The exact delta of a discrete Gaussian in one coordinate: its own sum, never that of a continuous sigma.

P(k) is proportional to exp(-k^2 / (2 sigma^2)) on the integers (Canonne, Kamath and Steinke 2020), and the value moves
by d steps.  The loss at k is (2 k d - d^2) / (2 sigma^2), so that with K = floor(d / 2 + eps sigma^2 / d) + 1

    delta(eps) = P(X >= K - d) - e^eps P(X >= K).

Nothing in this project draws such noise; others do.  At one sigma its delta may exceed that of continuous noise, and a
sigma that is calibrated for the latter may then break the claim.
"""

from fractions import Fraction
from math import floor

from dpspin.accounting.certified import Ends
from dpspin.enclosure import MOST_BITS, exp_neg
from dpspin.errors import UsageError

LARGEST_VARIANCE = 10**6
"""Beyond it a sum has tens of thousands of terms."""


def discrete_delta(epsilon: Fraction, shift: int, variance: Fraction) -> Ends:
    """Delta to 12 digits, from sums whose tails are bounded by geometric ones.

    Args:
        epsilon: at least 0.
        shift: d, positive.
        variance: the parameter sigma^2, exact; for small sigma the variance of the law is another number.

    Raises:
        UsageError: where the sum would be too long, or MOST_BITS bits are too few.
    """
    if variance > LARGEST_VARIANCE:
        raise UsageError("scale", f"sigma^2 above {LARGEST_VARIANCE} steps is not summed", "judge fewer steps")
    first = floor(Fraction(shift, 2) + epsilon * variance / shift) + 1
    p = 192
    while p <= MOST_BITS:
        ends = _delta(epsilon, (first, first - shift), variance, p)
        if (ends.high - ends.low) * 10**12 < ends.low:
            return ends
        p *= 2
    raise UsageError("epsilon, scale", f"{MOST_BITS} bits do not tell delta from 0", "ask for a smaller epsilon")


def _delta(epsilon: Fraction, starts: tuple[int, int], variance: Fraction, p: int) -> Ends:
    far, half = _sum(starts[0], epsilon, variance, p), _sum(1, Fraction(0), variance, p)
    near = _sum(max(starts[1], 1 - starts[1]), Fraction(0), variance, p)
    whole = (1 << p) + 2 * half[0], (1 << p) + 2 * half[1]
    if starts[1] < 1:  # P(X >= K - d) = 1 - P(X >= 1 - (K - d))
        near = whole[0] - near[1], whole[1] - near[0]
    low, high = near[0] - far[1], near[1] - far[0]
    return Ends(max(Fraction(low, whole[1]), Fraction(0)), Fraction(max(high, 0), whole[0]))


def _sum(first: int, epsilon: Fraction, variance: Fraction, p: int) -> tuple[int, int]:
    """Enclose 2^p times the sum over k >= first of exp(eps - k^2 / (2 sigma^2)), first >= 1 and no exponent above 0.

    Once a term is below 2^-p, what is left is at most that term over 1 - exp(-k / sigma^2).
    """
    low = high = 0
    k = first
    while True:
        term = exp_neg(k**2 / (2 * variance) - epsilon, p)
        low, high = low + term[0], high + term[1]
        if term[1] <= 1:
            break
        k += 1
    ratio = exp_neg(k / variance, p)[1]
    if ratio >= 1 << p:
        return low, high << p
    return low, high + -(-(term[1] << p) // ((1 << p) - ratio))
