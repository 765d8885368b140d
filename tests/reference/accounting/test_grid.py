"""The least sigma on a grid of 1,710 claims: none unsafe, none loose by more than a float; a sample, or all of it deep.

Every verdict is the enclosure of the stand-alone checker, which shares no code with the search.  `make deep` runs all.
"""

import math
import os
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from dpspin.accounting.certified import least
from dpspin_proofs import certcheck

EPSILONS = "0.01 0.02 0.05 0.1 0.2 0.3 0.5 0.7 1 1.5 2 3 5 8 10".split()
DELTAS = "0.5 0.1 1e-2 1e-3 1e-4 1e-5 1e-6 1e-7 1e-8 1e-9 1e-10 1e-11 1e-12 1e-15 1e-18 1e-20 1e-24 1e-30 1e-40".split()
SQUARES = ("1", "2", "4", "8", "1/9", "50")
GRID = list(product(EPSILONS, DELTAS, SQUARES))
SLICES = 10
SAMPLE = Random(20).sample(GRID, 200)


def holds(epsilon, delta, square, sigma):
    """Certified by the checker: the delta of this sigma is at most the claim, or is more than it."""
    p = 64 + int(3 * epsilon / 2) + math.ceil(1 / delta).bit_length()
    while True:
        low, high = certcheck.delta(epsilon, square / Fraction(sigma) ** 2, p)
        if high <= delta * 2**p:
            return True
        if low > delta * 2**p:
            return False
        p *= 2


def unsafe_or_loose(points, search=lambda *claim: least(*claim).sigma):
    """The points whose sigma fails, or whose next smaller float would do."""
    found = []
    for texts in points:
        claim = tuple(map(Fraction, texts))
        sigma = search(*claim)
        if not holds(*claim, sigma) or holds(*claim, math.nextafter(sigma, 0)):
            found.append(texts)
    return found


def test_the_grid_has_1710_points():
    assert len(set(GRID)) == 1710


def test_no_point_of_a_sample_is_unsafe_or_loose():
    assert unsafe_or_loose(SAMPLE) == []


@pytest.mark.parametrize("toward", [0, math.inf])
def test_a_float_more_or_less_is_found(toward):
    assert unsafe_or_loose(SAMPLE[:5], lambda *claim: math.nextafter(least(*claim).sigma, toward)) == SAMPLE[:5]


@pytest.mark.skipif(not os.environ.get("DPSPIN_DEEP"), reason="takes minutes: make deep, or set DPSPIN_DEEP=1")
@pytest.mark.parametrize("part", range(SLICES))
def test_no_point_of_the_grid_is_unsafe_or_loose(part):
    assert unsafe_or_loose(GRID[part::SLICES]) == []
