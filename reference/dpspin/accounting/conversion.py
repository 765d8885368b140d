"""From one adjacency to another: what a release costs in a ledger that counts a stronger relation."""

from fractions import Fraction

from dpspin.enclosure import exp_neg

LARGEST_EXPONENT = 1000
"""Beyond it (1 + e^eps) delta passes 1 for every delta above 1e-434; the trivial delta of 1 is charged instead."""


def from_add_drop_to_replacement(epsilon: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """The cost under replacement of a release that costs (eps, delta) under add/drop: (2 eps, (1 + e^eps) delta).

    Replacing a unit is dropping one and adding another (group privacy for two; Dwork and Roth 2014, section 2.3).  The
    irrational factor is rounded up to a millionth, and a delta never needs to be more than 1.  The way back does not
    exist: no statement about corpora of one size bounds what a unit more reveals.
    """
    if delta == 0:
        return 2 * epsilon, delta
    return 2 * epsilon, min(Fraction(1), _one_plus_exp(epsilon) * delta) if epsilon <= LARGEST_EXPONENT else Fraction(1)


def _one_plus_exp(x: Fraction) -> Fraction:
    """1 + e^x rounded up to a millionth, from the lower end of an enclosure of e^-x: e^x <= 2^p / low."""
    p = 2 * int(x) + 64  # e^-x > 2^-2x, so that low has at least 60 bits
    low, _ = exp_neg(x, p)
    return 1 + Fraction(-(-(10**6 << p) // low), 10**6)
