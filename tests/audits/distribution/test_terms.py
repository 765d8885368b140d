"""One alpha, counted in one place."""

from dpspin_audits.distribution.terms import Shares, Terms
from dpspin_audits.statistics.guessing import Point


def test_all_tests_together_have_alpha():
    shares = Shares(0.001, {"distribution": 24, "canary": 1, "support": 0})
    assert shares.each * 25 == 0.001
    assert Shares(0.001, {}).each == 0.001


def test_terms_give_the_claim_as_a_point_and_the_step_of_rounding(reference, few):
    terms = Terms(reference.claim, 2.0, 1e-4, b"s", few)
    assert terms.point == Point(1.0, 0.0)
    assert terms.step == 2.0 / 1024
