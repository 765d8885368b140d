"""What evidence says of the accounting: every bound rounded to its side, and the curve of the noise as configured."""

from dataclasses import replace
from fractions import Fraction

import pytest

from dpspin.accounting.cost import accounted
from dpspin.accounting.second_opinion import second_opinion
from dpspin.errors import UsageError
from dpspin_audits import losses
from dpspin_audits.reference_subject import claim_of


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


def test_a_charged_universe_is_added_to_the_claim(setting_of):
    setting = setting_of(mechanism="gaussian", built=("0.50", "1e-7"))
    claim, seen = claim_of(setting), [{"name": "universe.json", "charge": "0004"}]
    found = losses.built(setting, claim, seen)
    assert found["universe"] == {"id": "0004", "epsilon": "0.50", "delta": "1e-7"}
    assert found["total"] == {"epsilon": "1.5", "delta": "0.0000101"}
    assert losses.built(setting, claim, [])["universe"]["id"] is None
    assert losses.built(setting, replace(claim, epsilon=Fraction(9), delta=Fraction(1)), [])["total"] == {
        "epsilon": "9.5",
        "delta": "1",
    }
    assert losses.built(setting_of(mechanism="gaussian"), claim, seen) == {}
    whole = losses.whole(setting, claim, accounted(setting.deployment, 12), None, [*seen, {"charge": "0007"}])
    assert (whole["charge"]["id"], whole["universe"]["id"]) == ("0007", "0004")


def test_a_claim_about_other_neighbours_has_no_sum_with_the_universe(setting_of):
    setting = setting_of(built=("1/2", "0"))
    for other in ({"adjacency": "replacement"}, {"unit": "user"}):
        with pytest.raises(UsageError, match=r"universe\.charge: declared for record add_drop, and the subject claims"):
            losses.check_addable(setting, replace(claim_of(setting), **other))
    assert losses.check_addable(setting_of(), replace(claim_of(setting), unit="user")) is None


def test_a_curve_beyond_every_use_is_left_out(setting_of, monkeypatch):
    monkeypatch.setattr(losses, "LEAST", Fraction(1, 10**50))
    assert losses.curve(setting_of(mechanism="top_l_gaussian")) is None


def test_a_lower_bound_stands_beside_the_cost(setting_of):
    found = tree(setting_of(mechanism="top_l_gaussian"))
    lower = found["lower"]
    assert lower is None or Fraction(lower["epsilon"]) <= Fraction(found["accounted"]["epsilon"])
