"""What a claim states beyond (epsilon, delta) is what its noise keeps, neither more nor less."""

from dataclasses import replace
from fractions import Fraction
from math import erf, exp, sqrt

import pytest

from dpspin.accounting import admission
from dpspin.accounting.calibration import Peeling
from dpspin.accounting.cost import accounted
from dpspin_audits.distribution import stated
from dpspin_audits.pairs.families import families
from dpspin_audits.reference_subject import claim_of
from dpspin_audits.statistics.full_sketch import FullSketchScore
from dpspin_audits.statistics.laws import GaussianLaw, LaplaceLaw
from dpspin_audits.statistics.peeling import PeelingScore

MECHANISMS = ["laplace", "gaussian", "top_l", "top_l_gaussian"]


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
def test_the_references_claim_names_its_noise_and_costs_what_is_accounted(setting_of, mechanism, adjacency):
    setting = setting_of(mechanism=mechanism, adjacency=adjacency)
    claim = claim_of(setting)
    assert stated.noise_of(claim) == setting.noise
    cost, known = stated.cost(claim, setting), accounted(setting.deployment, 12)
    assert cost.epsilon <= claim.epsilon
    assert cost.delta <= claim.delta
    if mechanism != "top_l_gaussian":  # there, what admission leaves of epsilon is given to the values
        assert (cost.epsilon, cost.delta) == (known.epsilon, known.delta)


@pytest.mark.parametrize(
    "change", [{"mechanism": None}, {"scale": None}, {"mechanism": "other"}, {"exponent": None}, {"values": None}]
)
def test_a_claim_that_leaves_something_open_states_no_law(setting_of, change):
    setting = setting_of(mechanism="top_l")
    claim = replace(claim_of(setting), **change)
    assert stated.noise_of(claim) is None
    assert (stated.cost(claim, setting), stated.curve(claim, setting), stated.law(claim)) == (None, [], None)


def phi(x):
    return (1 + erf(x / sqrt(2))) / 2


@pytest.mark.parametrize(("adjacency", "shift"), [("add_drop", 1.0), ("replacement", sqrt(2))])
def test_the_curve_of_gaussian_noise_is_that_of_its_sigma_rounded_up(setting_of, adjacency, shift):
    setting = setting_of(mechanism="gaussian", adjacency=adjacency)
    claim = claim_of(setting)
    points, mu = stated.curve(claim, setting), shift / float(claim.scale)
    assert [point.epsilon for point in points] == sorted({point.epsilon for point in points})
    for epsilon, delta in points:
        known = phi(mu / 2 - epsilon / mu) - exp(epsilon) * phi(-mu / 2 - epsilon / mu)
        assert known - 1e-15 <= delta <= known * (1 + 2e-5) + 1e-15


def composed(epsilon, spent, mu):
    """delta of Gaussian values at what a pure loss of admission leaves."""
    left = epsilon - spent
    return phi(mu / 2 - left / mu) - exp(left) * phi(-mu / 2 - left / mu)


@pytest.mark.parametrize(("adjacency", "shift", "spent"), [("add_drop", 1, 1 / 4), ("replacement", sqrt(2), 1 / 3)])
def test_the_curve_of_admission_starts_at_0_and_lies_below_the_composed_one(setting_of, adjacency, shift, spent):
    setting = setting_of(mechanism="top_l_gaussian", adjacency=adjacency)  # L = 3, one half of epsilon
    claim = claim_of(setting)
    points, mu = stated.curve(claim, setting), shift / float(claim.scale)
    assert [point.epsilon for point in points] == sorted({point.epsilon for point in points})
    assert points[0].epsilon == 0
    assert [point.delta for point in points] == sorted((point.delta for point in points), reverse=True)
    later = [point for point in points if point.epsilon > spent + 0.01]
    assert len(later) > 3
    for epsilon, delta in later:  # values alone are lost in any case
        assert composed(epsilon, 0, mu) < delta <= composed(epsilon, spent, mu) * (1 + 1e-6)


def test_more_rounds_than_the_closed_form_takes_leave_the_composed_curve(setting_of, monkeypatch):
    setting = setting_of(mechanism="top_l_gaussian", adjacency="replacement")
    monkeypatch.setattr("dpspin.accounting.admission.MOST_ROUNDS", 2)
    admission.delta.cache_clear()
    assert stated.curve(claim_of(setting), setting)[0].epsilon >= 1 / 3


def test_laplace_values_at_a_delta_state_their_pure_loss(setting_of):
    setting = setting_of(mechanism="top_l")
    claim = replace(claim_of(setting), delta=Fraction(1, 10**6))
    assert stated.curve(claim, setting) == stated.curve(claim_of(setting), setting) != []


def test_pure_noise_states_more_than_the_claim_only_where_it_costs_less(setting_of):
    assert stated.curve(claim_of(setting_of()), setting_of()) == []
    claim = replace(claim_of(setting_of()), scale=Fraction(2))
    assert stated.curve(claim, setting_of()) == [(0.5, 0.0)]
    assert stated.curve(claim_of(setting_of(mechanism="top_l")), setting_of(mechanism="top_l"))[0].epsilon < 1


def test_a_point_is_rounded_up_and_zero_stays_zero():
    point = stated.point(Fraction(1, 10) + Fraction(1, 10**30), Fraction(0))
    assert Fraction(point.epsilon) > Fraction(1, 10) + Fraction(1, 10**30)
    assert point.delta == 0
    assert stated.point(Fraction(1), Fraction(1, 4)) == (1.0, 0.25)


@pytest.mark.parametrize(
    ("mechanism", "kind", "law"),
    [("laplace", FullSketchScore, LaplaceLaw), ("gaussian", FullSketchScore, GaussianLaw),
     ("top_l", PeelingScore, LaplaceLaw), ("top_l_gaussian", PeelingScore, GaussianLaw)],
)  # fmt: skip
def test_scores_are_those_of_the_stated_law(setting_of, maker_of, mechanism, kind, law):
    claim, pair = claim_of(setting_of(mechanism=mechanism)), families(maker_of(mechanism=mechanism))[0].candidates[0]
    score = stated.score(claim, pair)
    assert (type(score), type(score.law)) == (kind, law)
    assert score.law.scale == pytest.approx(float(claim.scale))
    assert stated.score(replace(claim, mechanism=None), pair) is None


def test_what_admission_costs_beyond_the_claim_leaves_nothing_to_the_values(setting_of):
    setting = setting_of(mechanism="top_l_gaussian")
    claim = replace(claim_of(setting), exponent=Fraction(10))
    assert isinstance(stated.noise_of(claim), Peeling)
    cost = stated.cost(claim, setting)
    assert cost.epsilon > 29 > claim.epsilon
    assert dict(one[:2] for one in cost.alternatives)["selection and values composed"] >= 30
