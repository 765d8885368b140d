"""What evidence says of the accounting: every bound rounded to its side, and the curve of the noise as configured."""

from fractions import Fraction

import pytest

from dpspin.accounting.cost import accounted
from dpspin.accounting.second_opinion import second_opinion
from dpspin_audits import losses


def tree(setting, charge=None):
    cost = accounted(setting.deployment, len(setting.universe))
    return losses.tree(setting, cost, second_opinion(cost), charge)


def test_a_pure_deployment(setting_of):
    found = tree(setting_of(mechanism="laplace"), "0007")
    assert found["charge"] == {"id": "0007", "epsilon": "1", "delta": "0"}
    assert found["second_opinion"]["note"] == "agrees with ours"
    assert (found["curve"]["pure"], found["curve"]["attained"], found["lower"]) == ("1", True, None)
    assert found["curve"]["points"][-1] == {"epsilon": "1", "delta": "0"}


@pytest.mark.parametrize("mechanism", ["gaussian", "top_l", "top_l_gaussian", "laplace"])
@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
def test_the_curve_falls_and_keeps_the_accounted_loss(setting_of, mechanism, adjacency):
    setting = setting_of(mechanism=mechanism, adjacency=adjacency)
    found = tree(setting)
    places = [(Fraction(row["epsilon"]), Fraction(row["delta"])) for row in found["curve"]["points"]]
    assert places == sorted(places)
    assert [delta for _, delta in places] == sorted((delta for _, delta in places), reverse=True)
    claimed = Fraction(found["claimed"]["epsilon"]), Fraction(found["claimed"]["delta"])
    beyond = [delta for epsilon, delta in places if epsilon >= claimed[0]]
    assert all(delta <= claimed[1] * (1 + Fraction(1, 10**9)) for delta in beyond)


def test_a_curve_beyond_every_use_is_left_out(setting_of, monkeypatch):
    monkeypatch.setattr(losses, "LEAST", Fraction(1, 10**50))
    assert losses.curve(setting_of(mechanism="top_l_gaussian")) is None


def test_a_lower_bound_stands_beside_the_cost(setting_of):
    found = tree(setting_of(mechanism="top_l_gaussian"))
    lower = found["lower"]
    assert lower is None or Fraction(lower["epsilon"]) <= Fraction(found["accounted"]["epsilon"])
