"""A bettor against a promise that is kept gains nothing on average, whatever the bets, and is rarely ever rich."""

from itertools import product
from math import exp, log

import numpy as np
import pytest
from scipy.stats import binom

from dpspin_audits.statistics import capital
from dpspin_audits.statistics.bounds import Guesses
from dpspin_audits.statistics.capital import BOLDEST, SPREAD, STAKES, WEIGHTS, Capital, recommended
from dpspin_audits.statistics.guessing import Point, Rule

PURE = Rule(0.5, "both", Point(1.0, 0.0))
APPROXIMATE = Rule(0.5, "both", Point(0.5, 0.1))
ONE_SIDED = Rule(0.5, "with", Point(0.5, 0.1))


def gain(rule, stake, outcome):
    """1 + lambda Z by the definition, for a share of the largest lambda."""
    z = {1: 1.0, -1: -exp(rule.point.epsilon), 0: 0.0}[outcome] - rule.delta
    return 1 + stake / (exp(rule.point.epsilon) + rule.delta) * z


def by_hand(blocks):
    """The wealth after every run, from the definition: one bettor a stake, wealth partly spread anew."""
    shares, path = WEIGHTS.copy(), []
    for rule, found, outcomes in blocks:
        shares = (1 - SPREAD) * shares + SPREAD * shares.sum() * WEIGHTS
        bold = min(max(found, 0), BOLDEST)
        for outcome in outcomes:
            shares = shares * [gain(rule, stake, outcome) for stake in (*STAKES, bold, bold / 2)]
            path.append(shares.sum())
    return path


BLOCKS = [
    (PURE, 0.3, np.array([1, 1, 0, -1, 1, 1], np.int8)),
    (APPROXIMATE, 9.0, np.array([1, 0, 0, 1], np.int8)),
    (ONE_SIDED, -1.0, np.array([-1, 1, 1, 1, 1], np.int8)),
]


def test_wealth_is_that_of_the_definition():
    played, path = Capital(0.05), by_hand(BLOCKS)
    for block in BLOCKS:
        played.play(*block)
    assert [look.runs for look in played.path] == [0, 6, 10, 15]
    after = [1.0, *(path[end - 1] for end in (6, 10, 15))]
    assert [exp(look.log_wealth) for look in played.path] == pytest.approx(after)
    assert exp(played.largest) == pytest.approx(max(path))


def test_reaching_is_noted_at_the_run_where_it_happens_and_kept():
    blocks = [(PURE, 0.5, np.ones(60, np.int8)), (PURE, 0.5, -np.ones(60, np.int8))]
    played, path = Capital(0.05), by_hand(blocks)
    for block in blocks:
        played.play(*block)
    assert played.reached == next(run for run, wealth in enumerate(path, 1) if wealth >= 20)
    assert played.path[-1].log_wealth < played.largest / 4
    assert Capital(0.05).reached is None


@pytest.mark.parametrize(("rule", "wrong"), [(PURE, 0.2), (APPROXIMATE, 0.3), (ONE_SIDED, 0.25), (APPROXIMATE, 0.0)])
def test_the_expected_wealth_under_a_promise_that_is_just_kept_is_exactly_one(rule, wrong):
    """Every outcome of four runs in two blocks, where the second bet depends on the first block."""
    right = exp(rule.point.epsilon) * wrong + rule.delta
    chances = {1: right, -1: wrong, 0: 1 - right - wrong}
    expected = 0.0
    for outcomes in product(chances, repeat=4):
        played = Capital(0.05)
        played.play(rule, 0.4, np.array(outcomes[:2], np.int8))
        played.play(rule, 0.5 if sum(outcomes[:2]) > 0 else 0.1, np.array(outcomes[2:], np.int8))
        expected += exp(played.path[-1].log_wealth) * np.prod([chances[outcome] for outcome in outcomes])
    assert expected == pytest.approx(1.0, abs=1e-12)


AUDITS = 500
TOO_MANY = int(binom.isf(1e-6, AUDITS, 0.05)) + 1
"""More alarms than this has a probability below 1e-6 where alpha is kept."""


def alarms(true, promised):
    """Audits of 2000 runs, watched all along, of a mechanism that loses `true`."""
    coin, count = np.random.default_rng(11), 0
    rule = Rule(0.5, "both", Point(promised, 0.0))
    for _ in range(AUDITS):
        played = Capital(0.05)
        for start in (0, 500):
            right = coin.random(500 + start) < 1 / (1 + exp(-true))
            played.play(rule, 0.1, np.where(right, 1, -1).astype(np.int8))
        count += played.reached is not None
    return count


def test_false_alarms_are_rare_although_every_run_is_looked_at():
    assert 0 < alarms(1.0, 1.0) < TOO_MANY
    assert alarms(1.2, 1.0) > TOO_MANY


def test_a_bet_that_may_be_watched_loses_little_to_looking_seldom(monkeypatch):
    outcomes = np.where(np.random.default_rng(1).random(5000) < 0.76, 1, -1).astype(np.int8)
    often, seldom = Capital(0.05), Capital(0.05)
    often.play(PURE, 0.05, outcomes)
    monkeypatch.setattr(capital, "LOOKS", 5)
    seldom.play(PURE, 0.05, outcomes)
    assert often.path == seldom.path
    assert often.reached < seldom.reached == 5000 or seldom.reached % 1000 == 0


def test_nobody_is_ruined():
    played = Capital(0.05)
    played.play(PURE, 9.0, -np.ones(10_000, np.int8))
    assert played.path[-1].log_wealth > -1e5
    assert played.largest == 0.0
    played.play(PURE, 9.0, np.zeros(0, np.int8))
    assert played.runs == 10_000


def test_the_recommended_stake_is_about_the_best_one_in_hindsight():
    found = Guesses(100_000, 60_000, 46_000)
    wrong, stakes = 14_000, np.linspace(0.001, 0.9, 2000)
    growth = [46_000 * log(gain(PURE, s, 1)) + wrong * log(gain(PURE, s, -1)) for s in stakes]
    assert recommended(PURE, found) == pytest.approx(stakes[int(np.argmax(growth))], rel=0.1)
    assert recommended(PURE, Guesses(100_000, 60_000, 30_000)) == 0
