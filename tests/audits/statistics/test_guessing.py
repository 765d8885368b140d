"""Rules guess as they say, and are chosen on the runs that they are given and on no others."""

import numpy as np
import pytest

from dpspin_audits.statistics import guessing
from dpspin_audits.statistics.bounds import Guesses, epsilon_at_least
from dpspin_audits.statistics.guessing import Point, Rule


def counted(rule, without, with_):
    """The same by the definition, run by run."""
    guessed = right = 0
    for label, scores in ((False, without), (True, with_)):
        for score in scores:
            says_with = score >= rule.threshold and rule.side != "without"
            says_without = score <= -rule.threshold and rule.side != "with"
            guessed += says_with or says_without
            right += says_with if label else says_without
    return Guesses(len(without) + len(with_), guessed, right)


CLAIM = Point(1.0, 0.0)


@pytest.mark.parametrize("side", guessing.SIDES)
@pytest.mark.parametrize("threshold", [guessing.LEAST, 0.5, 1.0, 9.0])
def test_counts_follow_the_definition(side, threshold):
    coin = np.random.default_rng(1)
    without, with_ = (np.round(coin.normal(shift, 1, 200), 1) for shift in (-0.3, 0.4))
    rule = Rule(threshold, side, CLAIM)
    assert guessing.guess(rule, without, with_) == counted(rule, without, with_)


def test_a_score_of_zero_is_no_guess():
    assert guessing.guess(Rule(guessing.LEAST, "both", CLAIM), np.zeros(5), np.zeros(5)) == Guesses(10, 0, 0)


def test_a_rule_for_one_label_is_bounded_by_half_of_delta():
    assert [Rule(1, side, Point(1, 0.2)).delta for side in ("both", "with", "without")] == [0.2, 0.1, 0.1]


def test_the_rule_leaves_out_scores_that_say_nothing():
    """Small scores are noise, large ones are right nine times in ten."""
    coin = np.random.default_rng(2)
    signs = np.where(coin.random(4000) < 0.9, 1.0, -1.0)
    scores = np.concatenate([coin.uniform(-1, 1, 4000), signs * coin.uniform(2, 3, 4000)])
    rule = guessing.choose(-scores, scores, CLAIM, 0.001)
    assert 0.9 < rule.threshold < 2.5


def test_the_rule_takes_one_side_where_the_other_is_worthless():
    coin = np.random.default_rng(3)
    without, with_ = coin.uniform(-1, 1, 4000), coin.uniform(-1, 1, 4000)
    with_[:800] = 2.0
    without[800:1600] = with_[800:1600] = -2.0
    assert guessing.choose(without, with_, CLAIM, 0.001).side == "with"


def gaussian_scores(mu, runs, seed):
    """Log-likelihood ratios of N(0, 1) against N(mu, 1) under a shift that is really 1.5 mu."""
    coin = np.random.default_rng(seed)
    return [mu * coin.normal(centre, 1, runs) - mu**2 / 2 for centre in (0, 1.5 * mu)]


def test_on_a_curve_the_point_is_taken_that_training_runs_exceed_most():
    """The curve of a shift of 0.4: at epsilon 0 plainly broken by 0.6, far out hardly seen in 20,000 runs."""
    points = [Point(0.0, 0.159), Point(0.4, 0.0376), Point(1.6, 1e-6)]
    rule = guessing.choose_among(*gaussian_scores(0.4, 10_000, 4), points)
    assert rule.point in points[:2]
    found = guessing.guess(rule, *gaussian_scores(0.4, 50_000, 5))
    assert epsilon_at_least(found, rule.delta, 1e-6) > rule.point.epsilon


@pytest.mark.parametrize(("fewest", "taken"), [(guessing.FEWEST, False), (1, True)])
def test_a_rule_that_hardly_guesses_is_not_taken(monkeypatch, fewest, taken):
    """Ten scores are always right, and the others no better than a coin."""
    monkeypatch.setattr(guessing, "FEWEST", fewest)
    with_ = np.concatenate([np.full(10, 5.0), np.ones(2000), -np.ones(2000)])
    without = np.concatenate([np.ones(2000), -np.ones(2000)])
    assert (guessing.choose_among(without, with_, [CLAIM]).threshold > 1) == taken
