"""Noise of another relation is caught by what two atoms show together."""

import pytest


@pytest.mark.parametrize("mechanism", ["laplace", "top_l"])
def test_noise_for_one_unit_more_or_less_is_caught_under_replacement(caught, mechanism):
    terms = {"mechanism": mechanism, "adjacency": "replacement"}
    assert caught("wrong_relation", **terms) == ("fail", {"distribution.ideal"})


def test_laplace_noise_then_loses_twice_the_claim(audited):
    tree = audited("py:dpspin_audits.zoo.wrong_relation:subject", mechanism="laplace", adjacency="replacement")
    assert 1.7 < float(tree["accounting"]["measured"]["epsilon_at_least"]) <= 2
