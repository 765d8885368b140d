"""The stated noise is held against a certificate that the stand-alone checker accepts."""

from dataclasses import replace
from fractions import Fraction

import pytest

from dpspin import canonical
from dpspin_audits.checks import certificate
from dpspin_audits.reference_subject import claim_of
from dpspin_proofs import certcheck


def judged(setting, **change):
    claim = replace(claim_of(setting), **change)
    return certificate.check(claim, certificate.issue(claim, setting))


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_the_references_noise_is_certified_and_the_checker_agrees(setting_of, mechanism, adjacency):
    setting = setting_of(mechanism=mechanism, adjacency=adjacency)
    issued = certificate.issue(claim_of(setting), setting)
    assert certcheck.fault(canonical.dumps(issued.tree)) is None
    check = judged(setting)
    assert (check.status, check.strength) == ("pass", "exact")
    assert check.figures["seal"] == issued.tree["seal"]


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize(
    ("factor", "status"),
    [(1 - Fraction(1, 10**12), "fail"), (Fraction(1, 2), "fail"), (1 + Fraction(1, 10**12), "pass")],
)
def test_noise_a_little_too_small_is_found(setting_of, mechanism, factor, status):
    setting = setting_of(mechanism=mechanism)
    assert judged(setting, scale=claim_of(setting).scale * factor).status == status


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_noise_for_another_relation_is_found(setting_of, mechanism):
    assert judged(setting_of(mechanism=mechanism), adjacency="replacement").status == "fail"


def test_between_two_floats_a_certificate_does_not_decide(setting_of):
    setting = setting_of(mechanism="gaussian")
    issued = certificate.issue(claim_of(setting), setting)
    floats = [Fraction(float.fromhex(x)) for x in (issued.tree["sigma_hex"], issued.tree["predecessor"]["sigma_hex"])]
    assert judged(setting, scale=sum(floats) / 2).status == "inconclusive"
    assert judged(setting, scale=floats[0]).status == "pass"
    assert judged(setting, scale=floats[1]).status == "fail"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"mechanism": None}, "names its noise"),
        ({"scale": None}, "names its noise"),
        ({"delta": Fraction(1, 10**6)}, "a pure claim"),
        ({"epsilon": Fraction(0)}, "no Laplace noise has loss 0"),
    ],
)
def test_without_a_certificate_the_check_says_why(setting_of, change, reason):
    check = judged(setting_of(mechanism="laplace"), **change)
    assert check.status == "not_run"
    assert reason in check.reason


def test_one_atom_moves_less_than_a_certificate_assumes(setting_of):
    setting = setting_of(mechanism="laplace")
    alone = replace(setting, universe=replace(setting.universe, labels=("one",), descriptions=(None,)))
    check = certificate.check(claim_of(setting), certificate.issue(claim_of(setting), alone))
    assert check.status == "not_run"
    assert "two atoms" in check.reason


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
def test_admission_with_gaussian_values_is_certified(setting_of, adjacency):
    setting = setting_of(mechanism="tight_gaussian", adjacency=adjacency)
    issued = certificate.issue(claim_of(setting), setting)
    assert certificate.fault(canonical.dumps(issued.tree)) is None
    check = judged(setting)
    assert (check.status, check.figures["certified"]) == ("pass", check.figures["stated"])


def test_less_noise_of_either_kind_is_not_covered_by_the_certificate(setting_of):
    setting = setting_of(mechanism="tight_gaussian")
    claim = claim_of(setting)
    for change in ({"scale": claim.scale * Fraction(99, 100)}, {"exponent": claim.exponent * Fraction(101, 100)}):
        assert judged(setting, **change).status == "not_run"
    assert judged(setting, scale=claim.scale * 2, exponent=claim.exponent / 2).status == "pass"


def test_the_papers_scales_are_more_than_enough(setting_of):
    assert judged(setting_of(mechanism="top_l_gaussian")).status == "pass"


def test_a_rational_cost_needs_no_certificate(setting_of):
    check = judged(setting_of(mechanism="top_l"))
    assert check.status == "not_run"
    assert "exact as it stands" in check.reason


@pytest.mark.parametrize("mechanism", ["gaussian", "tight_gaussian"])
def test_an_altered_certificate_is_refused(setting_of, mechanism):
    setting = setting_of(mechanism=mechanism)
    tree = certificate.issue(claim_of(setting), setting).tree
    assert certificate.fault(canonical.dumps(tree | {"epsilon": "1/2"}))
