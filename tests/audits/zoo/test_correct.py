"""The control passes for every mechanism, unit and adjacency: the same parts and the same protocol, without a fault."""

from itertools import product

import pytest

from dpspin_audits.trials import Effort

FEWER = Effort(pilot=0, training=2000, testing=8000, searched=50)
MECHANISMS = ("laplace", "gaussian", "top_l", "top_l_gaussian")


def test_the_control_passes(caught):
    assert caught("correct") == ("pass", set())


@pytest.mark.parametrize(
    ("mechanism", "unit", "adjacency"), list(product(MECHANISMS, ("record", "user"), ("add_drop", "replacement")))
)
def test_the_control_passes_under_every_mechanism_and_relation(caught, mechanism, unit, adjacency):
    terms = {"mechanism": mechanism, "unit": unit, "adjacency": adjacency}
    assert caught("correct", effort=FEWER, **terms) == ("pass", set())
