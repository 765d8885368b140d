"""The certificate's figures are printed, and evidence with a forged one gives no report."""

from fractions import Fraction
from pathlib import Path

import pytest

from dpspin import canonical
from dpspin.accounting.certificate import Claim, certify
from dpspin.errors import IntegrityError
from dpspin_audits.report import case, certificates, render
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node
from dpspin_proofs import certcheck

CHECKER = canonical.digest(Path(certcheck.__file__).read_bytes())


def certificate(mechanism="gaussian", delta="1/100000"):
    data = certify(Claim(mechanism, "replacement", Fraction(1), Fraction(1), Fraction(delta)), CHECKER)
    return canonical.loads(data, "the certificate")


CLAIMED = ("mechanism", "adjacency", "mass_bound", "epsilon", "delta")


def certified(tree, found):
    """Evidence with a certificate, its claim being that one's."""
    tree["claim"] |= {name: found[name] for name in CLAIMED}
    tree["certificates"] = [found]
    return tree


def rows(tree):
    (found,) = certificates.view(case.opened(Node(tree))).held
    return {plain(term): plain(words) for term, words in found}


def test_gaussian_noise_is_shown_with_the_float_that_fails(evidence):
    tree = evidence()
    tree["certificates"] = [certificate()]
    found = rows(tree)
    assert "the least float that is enough" in found["Noise"]
    assert tree["certificates"][0]["sigma_hex"] in found["Noise"]
    assert found["Shows"] == "the noise below keeps ε 1, δ 10−5 under replacement"
    assert found["The float below"].startswith("fails: its δ is at least")
    assert found["Seal"] == tree["certificates"][0]["seal"]


def test_laplace_noise_is_exact(evidence):
    tree = evidence()
    tree["certificates"] = [certificate("laplace", "0")]
    assert rows(tree)["Noise"] == "Laplace, b = 2, exact; any smaller b fails"


def test_without_a_certificate_the_reason_is_printed(evidence):
    tree = evidence()
    silent = {"id": "accounting.certificate", "status": "not_run", "reason": "needs a claim that names additive noise"}
    tree["checks"].append(tree["checks"][0] | silent)
    assert "<p>There is no certificate. <bdi>Needs a claim that names additive noise." in render.render(tree)


@pytest.mark.parametrize(
    "change",
    [{"epsilon": "1/2"}, {"sigma_hex": "0x1.0p+0"}, {"delta_hi": "1/3"}, {"seal": "0" * 64}, {"bits": 7},
     {"second_opinions": [{"tool": "x", "version": "1", "epsilon": "1"}]}, {"checker_sha256": "0" * 64}],
)  # fmt: skip
def test_evidence_with_a_forged_certificate_gives_no_report(evidence, change):
    tree = certified(evidence(), certificate())
    assert "Certificates" in render.render(tree)
    tree["certificates"] = [certificate() | change]
    with pytest.raises(IntegrityError, match=r"certificates\[0\]: expected a certificate that holds"):
        render.render(tree)


def test_a_second_opinion_that_no_audit_wrote_gives_no_report_even_under_a_right_seal(evidence):
    tree, opinion = evidence(), {"tool": "x", "version": "1", "epsilon": "0.1"}
    claim = Claim("gaussian", "replacement", Fraction(1), Fraction(1), Fraction(1, 10**5))
    data = certify(claim, CHECKER, (opinion,))
    assert certcheck.fault(data) is None
    tree["certificates"] = [canonical.loads(data, "the certificate")]
    with pytest.raises(IntegrityError, match="no audit writes"):
        render.render(tree)


@pytest.mark.parametrize(("name", "other"), [("epsilon", "2"), ("delta", "0.1"), ("mass_bound", "3"),
                                             ("adjacency", "add_drop")])  # fmt: skip
def test_a_true_certificate_of_another_claim_gives_no_report(evidence, name, other):
    tree = certified(evidence(), certificate())
    tree["claim"][name] = other
    with pytest.raises(IntegrityError, match=rf"another claim \({name}\)"):
        render.render(tree)
