"""What a figure is drawn from: the luckiest bettor of every family, and the most telling errors."""

from dpspin_audits import measured
from dpspin_audits.distribution.bets import Bets, LowerBound
from dpspin_audits.distribution.judgement import Judgement
from dpspin_audits.statistics.bounds import Guesses
from dpspin_audits.statistics.capital import Look
from dpspin_audits.statistics.guessing import Point
from dpspin_audits.statistics.tradeoff import Errors, Tradeoff

ERRORS = Tradeoff(0.001, (Errors(1.0, 0.0), Errors(0.25, 0.5)), 0.01234, 0.02)


CLAIM = Point(1.0, 0.0)


def found(pair, largest, about=CLAIM, reached=None):
    bets = Bets(5e-5, 300, reached, largest, (Look(0, 0.0), Look(300, largest)))
    return LowerBound(pair, "score", Guesses(300, 200, 150), 1e-4, about, 0.8, 1.2, None, bets)


def judgement(pair, *largest, law=(), mu=0.0, errors=None):
    claims = tuple(found(pair, each) for each in largest)
    laws = tuple(found(pair, each, Point(0.2, 0.05), 77) for each in law)
    return Judgement(claims[:1], claims[1:], laws, None, 300, 0, mu, errors)


def test_every_family_shows_its_luckiest_bettor_against_claim_and_law_apart():
    tree = measured.figures([judgement("a", 1.0, 2.302585094), judgement("b", 0.1, 0.0, law=(7.0,))])
    assert [(path["pair"], path["about"], path["reached"]) for path in tree["bets"]] == [
        ("a", "claim", None), ("b", "claim", None), ("b", "law", 77),
    ]  # fmt: skip
    assert tree["bets"][0]["path"] == [{"runs": 0, "wealth": "0.00"}, {"runs": 300, "wealth": "1.00"}]
    assert tree["tradeoff"] is None


def test_errors_are_those_of_the_family_that_tells_most():
    tree = measured.figures([judgement("a", 1.0, mu=0.3), judgement("b", 1.0, mu=0.98765, errors=ERRORS)])
    assert tree["mu_at_least"] == "0.9876"
    assert tree["tradeoff"] == {
        "pair": "b", "score": "score", "runs": 300, "alpha": "0.001",
        "points": [{"false_alarm": "1.000000", "miss": "0.000000"}, {"false_alarm": "0.250000", "miss": "0.500000"}],
        "false_alarm_margin": "0.0124", "miss_margin": "0.0200",
    }  # fmt: skip


def test_a_test_without_bets_has_no_path():
    bare = Judgement((found("a", 1.0)._replace(bets=None),), (), (), None, 300, 0)
    assert measured.figures([bare])["bets"] == []
