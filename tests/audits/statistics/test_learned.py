"""Learned scores find what is there, and cannot accuse by having seen the test."""

import numpy as np
import pytest

from dpspin_audits.draws import Draws
from dpspin_audits.statistics import bounds, guessing
from dpspin_audits.statistics.features import see
from dpspin_audits.statistics.guessing import Point
from dpspin_audits.statistics.learned import learn, learn_bits

LEVEL = 5e-5


def plans(centres, runs, coin, lattice=True, scale=1.0):
    """Top three of six atoms under Laplace noise, on the lattice or in floating point."""
    noisy = np.asarray(centres, float) + coin.laplace(0, scale, (runs, len(centres)))
    noisy = np.round(noisy * 2**20) / 2**20 if lattice else noisy
    order = np.argsort(-noisy, axis=1)[:, :3]
    return Draws(order, np.take_along_axis(noisy, order, axis=1))


def bound(learner, sides, step, runs=(20_000, 50_000), seed=6, **law):
    """Learn on a quarter of the first runs, choose on another, count the last."""
    coin = np.random.default_rng(seed)
    training, testing = ([plans(side, n, coin, **law) for side in sides] for n in runs)
    cut = runs[0] // 2
    score = learner(*[see(draws.part(0, cut), (0,), step) for draws in training])
    scores = [[score(see(draws, (0,), step)) for draws in part]
              for part in ([draws.part(cut, None) for draws in training], testing)]  # fmt: skip
    rule = guessing.choose(*scores[0], Point(1.0, 0.0), LEVEL)
    return bounds.epsilon_at_least(guessing.guess(rule, *scores[1]), 0.0, LEVEL)


def by_plans(without, with_):
    return learn(without, with_, 1.0)


WORST, EMPTY = ([40.0, *[0] * 5], [41.0, *[0] * 5]), ([0.0] * 6, [1.0, *[0] * 5])


def test_a_true_epsilon_of_one_is_measured_as_at_least_nine_tenths():
    assert 0.9 <= bound(by_plans, WORST, 2.0**-10) <= 1


def test_half_the_noise_is_found():
    assert 1.8 < bound(by_plans, WORST, 2.0**-10, (4000, 10_000), scale=0.5) <= 2


def test_floating_point_noise_is_found_in_its_bits_and_nowhere_else():
    assert bound(learn_bits, EMPTY, None, lattice=False) > 3
    assert bound(by_plans, EMPTY, 2.0**-10, lattice=False) <= 1
    assert bound(learn_bits, EMPTY, None, lattice=True) <= 1  # presence of bits alone accuses nobody


def alarms(leak):
    """How often a bound above zero comes out where both corpora give the same plans; 100 cells invite overfitting."""
    coin, count = np.random.default_rng(7), 0
    for _ in range(200):
        draws = [Draws(np.zeros((400, 1), int), coin.integers(1, 2**30, (400, 1)) / 2.0**20) for _ in range(4)]
        training, testing = draws[:2], draws[2:]
        cut = 200
        score = learn_bits(*[see(d if leak else d.part(0, cut), (0,)) for d in training])
        chosen = [score(see(d if leak else d.part(cut, None), (0,))) for d in training]
        rule = guessing.choose(*chosen, Point(1.0, 0.0), 0.01)
        counted = chosen if leak else [score(see(d, (0,))) for d in testing]
        count += bounds.epsilon_at_least(guessing.guess(rule, *counted), 0.0, 0.01) > 0
    return count


def test_data_without_an_effect_give_no_bound_more_often_than_alpha():
    """At alpha .01, 200 repetitions give 2 alarms at most on average; 13 have probability below 1e-6."""
    assert alarms(leak=False) <= 13


def test_the_same_procedure_accuses_nearly_always_if_it_counts_its_training_runs():
    assert alarms(leak=True) > 150


@pytest.mark.parametrize("learner", [by_plans, learn_bits])
def test_a_score_is_a_function_of_its_training_runs(learner):
    assert bound(learner, WORST, None, (2000, 2000)) == bound(learner, WORST, None, (2000, 2000))
