import pytest

from dpspin_audits.report.mechanism import calibration, mechanism
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def lines(tree):
    return plain(mechanism(Node(tree["claim"]))), plain(calibration(Node(tree["deployment"])))


def test_laplace_noise_has_one_scale_and_one_rule(evidence):
    assert lines(evidence()) == (
        "laplace: discrete Laplace noise on every theme, then the highest; b = 1 unit of mass", "",
    )  # fmt: skip


def test_sigma_is_cut_to_six_digits_upwards_and_its_rule_is_named(evidence):
    said, rule = lines(evidence("gaussian-user"))
    assert said == "gaussian: rounded Gaussian noise on every theme, then the highest; σ = 11.9492 units of mass"
    assert rule == "analytic: the smallest σ for which the exact formula keeps ε and δ"


def test_the_classical_rule_is_called_what_it_is(evidence):
    tree = evidence("gaussian-user")
    tree["deployment"]["calibration"] = "classical"
    assert lines(tree)[1] == "classical: the paper’s rule for σ, proved for ε below 1 and larger than needed there"


def test_admission_has_an_exponent_a_share_and_values(evidence):
    said, rule = lines(evidence("top-l"))
    assert said.endswith("; exponent η = 0.133334 per unit of mass; laplace values; b = 1.5 units of mass")
    assert rule.startswith("2/3 of ε for admission, the rest for values; tight: the largest exponent")


def test_gaussian_values_have_a_sigma(evidence):
    tree = evidence("top-l")
    tree["claim"] |= {"values": "gaussian", "exponent": None}
    assert lines(tree)[0].endswith("the admitted themes; gaussian values; σ = 1.5 units of mass")


@pytest.mark.parametrize("kind", ["gaussian-user", "top-l"])
def test_a_bare_claim_names_no_mechanism(evidence, kind):
    tree = evidence(kind)
    tree["claim"] |= {"mechanism": None, "scale": None, "exponent": None, "values": None}
    assert lines(tree)[0] == "not named; only ε and δ are claimed"
