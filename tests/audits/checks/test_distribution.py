"""Verdicts follow from the bounds: finding, error, inconclusive or pass, in this order."""

from dataclasses import replace

import pytest

from dpspin_audits.checks import distribution
from dpspin_audits.judgement import Judgement, LowerBound
from dpspin_audits.statistics.bounds import Guesses
from dpspin_audits.statistics.guessing import Point

CLAIM = Point(1.0, 0.0)


def judgement(ideal=0.9, bits=0.8, detectable=1.1, crashed=0, law=None):
    def tests(bound, point=CLAIM):
        return (LowerBound("pair", "score", Guesses(1000, 800, 600), 1e-4, point, bound, detectable),)

    laws = () if law is None else tests(law, Point(0.5, 1e-3))
    return Judgement(tests(ideal), tests(bits), laws, None, 1000, crashed)


@pytest.mark.parametrize(
    ("found", "ideal", "bits"),
    [
        (judgement(), "pass", "pass"),
        (judgement(ideal=1.0, bits=1.0), "pass", "pass"),  # the claim itself is not beyond the claim
        (judgement(ideal=1.0001), "fail", "pass"),
        (judgement(bits=1.01), "pass", "fail"),  # however little it is, nothing else explains it
        (judgement(ideal=1.9, bits=1.9), "fail", "inconclusive"),
        (judgement(ideal=1.5, bits=4.0), "fail", "fail"),
        (judgement(crashed=1), "error", "error"),
        (judgement(ideal=1.2, crashed=1), "fail", "error"),
        (judgement(detectable=2.1), "inconclusive", "inconclusive"),
        (judgement(detectable=None), "inconclusive", "inconclusive"),
    ],
)
def test_the_verdict_follows_from_the_bounds(reference, found, ideal, bits):
    statuses = [check([found], reference.claim).status for check in (distribution.ideal, distribution.bits)]
    assert statuses == [ideal, bits]


def test_one_telling_test_is_enough_for_a_pass(reference):
    assert distribution.ideal([judgement(), judgement(detectable=None)], reference.claim).status == "pass"


def test_one_finding_is_enough_for_a_finding(reference):
    assert distribution.bits([judgement(), judgement(bits=1.3)], reference.claim).status == "fail"


def test_figures_are_those_of_every_test(reference):
    found = distribution.ideal([judgement(), judgement(ideal=0.5)], replace(reference.claim))
    assert [test["epsilon_at_least"] for test in found.figures["tests"]] == ["0.9000", "0.5000"]
    assert found.figures["tests"][0] == {
        "pair": "pair", "score": "score", "runs": 1000, "guessed": 800, "right": 600, "alpha": "0.0001",
        "against": {"epsilon": "1.0000", "delta": "0"}, "epsilon_at_least": "0.9000", "detectable": "1.1000",
    }  # fmt: skip
    assert "at least 0.9000" in found.summary


def test_noise_that_is_not_the_stated_one_is_a_finding_of_its_own(reference):
    found = distribution.ideal([judgement(), judgement(law=0.6)], reference.claim)
    assert found.status == "fail"
    assert found.reason.startswith("not the stated law: at delta 0.001 the stated noise keeps epsilon 0.5000")
    assert "the claim itself was not refuted" in found.reason
    assert distribution.ideal([judgement(law=0.5)], reference.claim).status == "pass"


def test_a_broken_claim_is_said_before_a_broken_law(reference):
    found = distribution.ideal([judgement(ideal=1.2, law=0.6)], reference.claim)
    assert "at most 1 is claimed" in found.reason
    assert "stated law" not in found.reason


def test_the_loss_is_measured_against_the_claim_alone(reference):
    found = distribution.ideal([judgement(law=0.95)], reference.claim)
    assert "epsilon is at least 0.9000" in found.summary
