"""The cost of a release, exact, and dp-accounting's opinion of it."""

from fractions import Fraction

import pytest

from dpspin.accounting import cost
from dpspin.adjacency import MASS_UNIT


class Deployment:
    """Only what the cost needs."""

    def __init__(self, epsilon, scale=None, adjacency="add_drop", mass_bound=1):
        self.adjacency, self.mass_bound = adjacency, Fraction(mass_bound)
        self._scale = scale or MASS_UNIT * self.mass_bound / Fraction(epsilon)

    def noise_scale(self, universe_size):
        return self._scale


@pytest.mark.parametrize("epsilon", ["1/10", "1", "8", "0.3333"])
def test_the_configured_scale_costs_exactly_the_claimed_epsilon(epsilon):
    assert cost.accounted(Deployment(epsilon), 50)[:2] == (Fraction(epsilon), 0)


def test_half_the_scale_costs_twice_the_claim():
    assert cost.accounted(Deployment("1", scale=Fraction(MASS_UNIT, 2)), 50).epsilon == 2


def test_replacement_costs_twice_what_add_drop_costs_at_the_same_scale():
    scale = Fraction(MASS_UNIT)
    assert cost.accounted(Deployment("1", scale, "replacement"), 50).epsilon == 2
    assert cost.accounted(Deployment("1", scale, "replacement"), 1).epsilon == 1


@pytest.mark.parametrize("epsilon", ["1/10", "1", "8"])
def test_dp_accounting_agrees(epsilon):
    ours = cost.Cost(Fraction(epsilon), Fraction(0), "")
    opinion = cost.second_opinion(ours)
    assert opinion.tool == "dp-accounting"
    assert abs(opinion.epsilon - float(ours.epsilon)) < 1e-9
    assert abs(opinion.epsilon - 2 * float(ours.epsilon)) > 1e-3
