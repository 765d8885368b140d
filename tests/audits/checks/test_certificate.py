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
    return certificate.check(claim, certificate.issue(claim, len(setting.universe)))


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_the_references_noise_is_certified_and_the_checker_agrees(setting_of, mechanism, adjacency):
    setting = setting_of(mechanism=mechanism, adjacency=adjacency)
    issued = certificate.issue(claim_of(setting), len(setting.universe))
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
    issued = certificate.issue(claim_of(setting), len(setting.universe))
    floats = [Fraction(float.fromhex(x)) for x in (issued.tree["sigma_hex"], issued.tree["predecessor"]["sigma_hex"])]
    assert judged(setting, scale=sum(floats) / 2).status == "inconclusive"
    assert judged(setting, scale=floats[0]).status == "pass"
    assert judged(setting, scale=floats[1]).status == "fail"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"mechanism": None}, "names additive noise"),
        ({"scale": None}, "names additive noise"),
        ({"delta": Fraction(1, 10**6)}, "a pure claim"),
        ({"epsilon": Fraction(0)}, "no Laplace noise has loss 0"),
    ],
)
def test_without_a_certificate_the_check_says_why(setting_of, change, reason):
    check = judged(setting_of(mechanism="laplace"), **change)
    assert check.status == "not_run"
    assert reason in check.reason


def test_one_atom_moves_less_than_a_certificate_assumes(setting_of):
    claim = claim_of(setting_of(mechanism="laplace"))
    check = certificate.check(claim, certificate.issue(claim, 1))
    assert check.status == "not_run"
    assert "two atoms" in check.reason
