"""A promise is refuted by the bound or by the bets, and by nothing less."""

import numpy as np
import pytest

from dpspin_audits.distribution.bets import LowerBound, settled
from dpspin_audits.statistics.bounds import Guesses
from dpspin_audits.statistics.capital import Capital
from dpspin_audits.statistics.guessing import Point, Rule


def bets(right):
    """Of 60 guesses as many are right as the argument says, spread evenly."""
    capital = Capital(0.05)
    capital.play(
        Rule(1.0, "both", Point(1.0, 0.0)), 0.5, np.where(np.arange(60) * right % 60 < right, 1, -1).astype(np.int8)
    )
    return settled(capital)


def test_settled_bets_are_what_the_capital_came_to():
    found = bets(60)
    assert (found.alpha, found.runs, found.path[-1].runs) == (0.05, 60, 60)
    assert found.reached < 60
    assert found.largest == found.path[-1].log_wealth


@pytest.mark.parametrize(
    ("bound", "right", "refutes", "exceeds"),
    [(1.0, 41, False, False), (1.01, 41, True, True), (0.5, 60, True, False), (0.5, None, False, False)],
)
def test_either_half_refutes(bound, right, refutes, exceeds):
    half = None if right is None else bets(right)
    test = LowerBound("p", "s", Guesses(60, 60, 44), 0.1, Point(1.0, 0.0), bound, None, None, half)
    assert (test.refutes, test.exceeds) == (refutes, exceeds)
