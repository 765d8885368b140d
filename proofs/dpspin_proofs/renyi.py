"""An epsilon that rounded Gaussian noise is proved to keep, from Renyi divergences of integer order (Gaussian.v).

Order k + 1 gives delta = k^k / (k + 1)^(k + 1) exp(k (k + 1) loss - k epsilon), where the loss is half the squared
distance over the variance.  Coq decides it in integers, with exp(y) >= (1 + y / PARTS)^PARTS.
"""

from fractions import Fraction
from math import ceil, expm1, log
from typing import NamedTuple

PARTS = 256
"""More of them bring epsilon nearer, and cost Coq time."""
ORDERS = range(1, 257)
GRID = 1000
"""The exponent y is a multiple of 1 / GRID."""
EPSILON, LOSS = 10**4, 10**12
"""Denominators of epsilon and of the loss, both rounded up."""


class Proved(NamedTuple):
    """An epsilon at a delta, and the numbers with which `rational_covers` establishes it."""

    epsilon: Fraction
    order: int
    """k."""
    exponent: int
    """y times GRID."""
    loss: Fraction


def least(loss: Fraction, delta: Fraction) -> Proved:
    """About the least epsilon that these orders prove.

    Args:
        loss: the square of Delta_2 over twice the variance.
        delta: between 0 and 1.
    """
    above = Fraction(ceil(loss * LOSS), LOSS)
    order = min(ORDERS, key=lambda k: (_exponent(k, delta) + k * (k + 1) * float(above)) / k)
    exponent = ceil(_exponent(order, delta) * GRID)
    while not proves(order, exponent, delta):
        exponent += 1
    epsilon = (Fraction(exponent, GRID) + order * (order + 1) * above) / order
    return Proved(Fraction(ceil(epsilon * EPSILON), EPSILON), order, exponent, above)


def proves(order: int, exponent: int, delta: Fraction) -> bool:
    """Whether k^k / (k + 1)^(k + 1) / (1 + y / PARTS)^PARTS <= delta: the comparison that Coq makes again."""
    left = order**order * (GRID * PARTS) ** PARTS * delta.denominator
    return bool(left <= (order + 1) ** (order + 1) * (GRID * PARTS + exponent) ** PARTS * delta.numerator)


def _exponent(order: int, delta: Fraction) -> float:
    """About the y that is needed, at least 0."""
    needed = order * log(order / (order + 1)) - log(order + 1) - log(delta)
    return PARTS * expm1(max(needed, 0) / PARTS)
