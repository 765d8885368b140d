"""A family is judged on fresh runs, by the candidate that a pilot picked."""

from dataclasses import replace

import pytest

from dpspin_audits import stated
from dpspin_audits.families import Family, families
from dpspin_audits.judgement import Terms, judge
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.zoo.fixed_size import FixedSize
from dpspin_audits.zoo.noise_halved import NoiseHalved


@pytest.fixture
def terms(reference, few):
    return Terms(reference.claim, 1.0, 5e-5, b"seed", few)


def test_the_reference_is_not_refuted_and_its_loss_is_seen(reference, maker, terms):
    found = judge(families(maker)[0], reference, terms)
    assert [test.score for test in found.ideal] == ["learned from plans", "stated law"]
    assert not any(test.refutes for test in (*found.ideal, *found.bits))
    assert max(test.epsilon_at_least for test in found.ideal) > 0.85
    assert found.shift[0] <= 1 <= found.shift[1]


def test_half_the_noise_is_refuted(setting, maker, terms):
    found = judge(families(maker)[0], NoiseHalved(setting), terms)
    assert all(test.refutes for test in found.ideal)


def test_a_judgement_follows_from_the_seed(reference, maker, terms):
    family = families(maker)[2]
    assert judge(family, reference, terms) == judge(family, reference, terms)
    assert judge(family, reference, terms) != judge(family, reference, replace(terms, seed=b"other"))


def test_the_pilot_picks_the_candidate_with_the_largest_effect(setting, maker, terms):
    """Where a fixed number of units is kept, half of the candidates change nothing but one atom."""
    family = families(maker)[-1]
    assert judge(family, FixedSize(setting), terms).ideal[0].epsilon_at_least > 1.5
    worst = [
        judge(Family(family.name, (pair,), heavy=True), FixedSize(setting), terms) for pair in family.candidates[:2]
    ]
    assert min(found.ideal[0].epsilon_at_least for found in worst) <= 1


def test_a_bare_epsilon_is_judged_without_a_stated_law(reference, maker, terms):
    bare = replace(terms, claim=replace(terms.claim, mechanism=None, scale=None))
    assert [test.score for test in judge(families(maker)[0], reference, bare).ideal] == ["learned from plans"]


def test_atoms_that_are_not_always_admitted_have_no_shift(reference, maker, terms):
    assert judge(families(maker)[2], reference, terms).shift is None


def named(setting, few):
    """Terms of a claim that names its mechanism."""
    claim = ReferenceSubject(setting).claim
    return Terms(claim, float(claim.scale), 5e-5, b"seed", few, stated.curve(claim, setting))


@pytest.mark.parametrize("mechanism", ["gaussian", "top_l"])
def test_a_named_law_is_tried_on_its_whole_curve(setting_of, maker_of, few, mechanism):
    setting = setting_of(mechanism=mechanism)
    terms, family = named(setting, few), families(maker_of(mechanism=mechanism))[0]
    honest, faulty = (judge(family, kind(setting), terms).law for kind in (ReferenceSubject, NoiseHalved))
    assert [test.score for test in (*honest, *faulty)] == ["stated law, whole curve"] * 2
    assert [test.refutes for test in (*honest, *faulty)] == [False, True]
    assert faulty[0].point in terms.curve


def test_the_claim_itself_is_tried_at_its_own_point(setting_of, maker_of, few):
    terms = named(setting_of(mechanism="gaussian"), few)
    found = judge(
        families(maker_of(mechanism="gaussian"))[0], ReferenceSubject(setting_of(mechanism="gaussian")), terms
    )
    assert {test.point for test in (*found.ideal, *found.bits)} == {(1.0, 1e-5)}
