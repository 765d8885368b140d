"""Rules guess as they say, and are chosen on the runs that they are given and on no others."""

import numpy as np
import pytest

from dpspin_audits.statistics import guessing
from dpspin_audits.statistics.bounds import Guesses
from dpspin_audits.statistics.guessing import Rule


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


@pytest.mark.parametrize("side", guessing.SIDES)
@pytest.mark.parametrize("threshold", [guessing.LEAST, 0.5, 1.0, 9.0])
def test_counts_follow_the_definition(side, threshold):
    coin = np.random.default_rng(1)
    without, with_ = (np.round(coin.normal(shift, 1, 200), 1) for shift in (-0.3, 0.4))
    rule = Rule(threshold, side)
    assert guessing.guess(rule, without, with_) == counted(rule, without, with_)


def test_a_score_of_zero_is_no_guess():
    assert guessing.guess(Rule(guessing.LEAST, "both"), np.zeros(5), np.zeros(5)) == Guesses(10, 0, 0)


def test_a_rule_for_one_label_is_bounded_by_half_of_delta():
    assert (Rule(1, "both").delta(0.2), Rule(1, "with").delta(0.2), Rule(1, "without").delta(0.2)) == (0.2, 0.1, 0.1)


def test_the_rule_leaves_out_scores_that_say_nothing():
    """Small scores are noise, large ones are right nine times in ten."""
    coin = np.random.default_rng(2)
    signs = np.where(coin.random(4000) < 0.9, 1.0, -1.0)
    scores = np.concatenate([coin.uniform(-1, 1, 4000), signs * coin.uniform(2, 3, 4000)])
    rule = guessing.choose(-scores, scores, 0.0, 0.001)
    assert 0.9 < rule.threshold < 2.5


def test_the_rule_takes_one_side_where_the_other_is_worthless():
    coin = np.random.default_rng(3)
    without, with_ = coin.uniform(-1, 1, 4000), coin.uniform(-1, 1, 4000)
    with_[:800] = 2.0
    without[800:1600] = with_[800:1600] = -2.0
    assert guessing.choose(without, with_, 0.0, 0.001).side == "with"
