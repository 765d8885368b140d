"""Zero-concentrated privacy of peeling: rounds and Gaussian values add up, and one conversion gives (epsilon, delta).

A round of range r is (r^2 / 8)-zCDP (Rogers and Steinke 2021, for the bounded range of Durfee and Rogers 2019),
Gaussian values are ((Delta_2 / sigma)^2 / 2)-zCDP, and rho adds up even where rounds are chosen adaptively (Bun and
Steinke 2016).  rho-zCDP gives, for every alpha > 1 (Canonne, Kamath and Steinke 2020, Proposition 12),

    delta(eps) <= exp((alpha - 1) (alpha rho - eps)) (1 - 1/alpha)^alpha / (alpha - 1),

and alpha ln(1 - 1/alpha) is at most -(1 + 1/(2 alpha) + 1/(3 alpha^2) + ...) cut off anywhere, which is rational.
"""

from fractions import Fraction
from functools import lru_cache
from math import exp, log

from dpspin.accounting.interval import exponential
from dpspin.accounting.search import least_decimal, refuse_certain
from dpspin.adjacency import Adjacency
from dpspin.errors import UsageError

TERMS = 12
"""Of the logarithm.  What is cut off makes delta larger, by less than a thousandth for alpha >= 2."""
LARGEST = 2**20
"""Of rho, beyond which nothing is computed."""


def rho_of_peeling(adjacency: Adjacency, rounds: int, per_round: Fraction, ratio: Fraction) -> Fraction:
    """L r^2 / 8 + (Delta_2 / sigma)^2 / 2, with r = a under add/drop and 2 a under replacement.

    Args:
        adjacency: which corpora are compared.
        rounds: L, below m.
        per_round: a = eta B.
        ratio: (Delta_2 / sigma)^2 of the values, 0 for none.
    """
    width = 2 * per_round if adjacency == "replacement" else per_round
    return rounds * width**2 / 8 + ratio / 2


def exponent(rho: Fraction, epsilon: Fraction, alpha: Fraction) -> Fraction:
    """An upper bound on ln((alpha - 1) delta)."""
    logarithm = sum(1 / (k * alpha ** (k - 1)) for k in range(1, TERMS + 1))
    return (alpha - 1) * (alpha * rho - epsilon) - logarithm


def meets(rho: Fraction, epsilon: Fraction, claim: Fraction) -> bool:
    """Whether the order that seems best certifies (epsilon, claim); never true by mistake."""
    alpha = Fraction(_best(float(rho), float(epsilon))[0]).limit_denominator(1 << 16)
    power = exponent(rho, epsilon, alpha)
    if alpha <= 1 or power > 0:
        return False
    bits = 64 + claim.denominator.bit_length()
    return Fraction(exponential(power, bits).high, 1 << bits) <= claim * (alpha - 1)


def _best(rho: float, epsilon: float) -> tuple[float, float]:
    """About the order with the least delta, and the logarithm of that delta."""
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 - its import takes longer than that of this package

    def size(log_excess: float) -> float:
        alpha = 1 + exp(log_excess)
        return (alpha - 1) * (alpha * rho - epsilon) + alpha * log(1 - 1 / alpha) - log_excess

    found = minimize_scalar(size, bounds=(-8, 20), method="bounded", options={"xatol": 1e-9})
    return 1 + exp(float(found.x)), float(found.fun)


def log_ratio(rho: Fraction, epsilon: Fraction, claim: Fraction) -> float:
    """About ln(delta / claim), for a search."""
    return _best(float(rho), float(epsilon))[1] + log(claim.denominator) - log(claim.numerator)


@lru_cache(256)
def epsilon(rho: Fraction, claim: Fraction) -> Fraction:
    """The least loss that is certified at delta = `claim`, of six digits rounded up.

    Raises:
        UsageError: for a rho of 0, and for one above LARGEST.
    """
    refuse_certain(claim)
    if not 1 / Fraction(LARGEST) ** 8 < rho <= LARGEST:
        raise UsageError("rho", "too small or too large to be converted", "claim a loss of usual size")
    size, inverse = float(rho), log(claim.denominator) - log(claim.numerator)
    return least_decimal(lambda loss: meets(rho, loss, claim), size + 2 * (size * inverse) ** 0.5)
