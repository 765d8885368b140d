"""Verdicts follow from the bounds: finding, error, inconclusive or pass, in this order."""

from dataclasses import replace

import pytest

from dpspin_audits.checks import distribution
from dpspin_audits.distribution.bets import Bets, LowerBound
from dpspin_audits.distribution.judgement import Judgement
from dpspin_audits.statistics.bounds import Guesses
from dpspin_audits.statistics.capital import Look
from dpspin_audits.statistics.guessing import Point, Rule

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
        "about": "claim", "event": None, "bets": None,
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


WON = Bets(5e-5, 1000, 420, 10.0, (Look(0, 0.0), Look(1000, 9.0)))
LOST = WON._replace(reached=None, largest=5.0)


def bet(found, **tests):
    """A judgement some of whose tests have these bets."""
    changed = {name: tuple(test._replace(bets=bets) for test in getattr(found, name)) for name, bets in tests.items()}
    return found._replace(**changed)


@pytest.mark.parametrize(
    ("found", "ideal", "bits"),
    [
        (bet(judgement(), ideal=LOST, bits=LOST), "pass", "pass"),
        (bet(judgement(), ideal=WON), "fail", "pass"),
        (bet(judgement(), bits=WON), "pass", "fail"),
        (bet(judgement(law=0.4), law=WON), "fail", "pass"),
        (bet(judgement(law=0.4), law=LOST), "pass", "pass"),
    ],
)
def test_a_bettor_who_became_rich_is_a_finding(reference, found, ideal, bits):
    statuses = [check([found], reference.claim).status for check in (distribution.ideal, distribution.bits)]
    assert statuses == [ideal, bits]


def test_a_finding_by_bets_says_how_many_runs_it_took(reference):
    found = distribution.ideal([bet(judgement(), ideal=WON)], reference.claim)
    assert found.reason == "a stake grew 20000-fold within 420 runs (pair; score), but at most 1 is claimed"
    law = distribution.ideal([bet(judgement(law=0.4), law=WON)], reference.claim)
    assert law.reason.startswith("not the stated law: a stake grew 20000-fold within 420 runs")
    assert "the claim itself was not refuted" in law.reason


def test_tests_of_the_claim_and_of_the_stated_law_are_kept_apart(reference):
    found = distribution.ideal([judgement(law=0.4), judgement(law=0.3)], reference.claim)
    assert [test["about"] for test in found.figures["tests"]] == ["claim", "claim", "law", "law"]
    assert found.summary.startswith("Measured in 2 tests of the claim and 2 of the stated law: ")


def test_figures_tell_event_and_wealth(reference):
    found = bet(judgement(), ideal=WON)
    found = found._replace(ideal=(found.ideal[0]._replace(rule=Rule(0.75, "with", CLAIM)),))
    figures = distribution.ideal([found], reference.claim).figures["tests"][0]
    assert figures["event"] == {"side": "with", "threshold": "0.75"}
    assert figures["bets"] == {"runs": 1000, "reached": 420, "alpha": "0.00005", "wealth": "4.34"}
