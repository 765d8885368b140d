"""The sparse vector technique as published in six versions (Lyu, Su and Li 2017): the fifth is found, the first passes.

Two counts that a replaced record moves by one, in opposite directions, against a threshold; answers above or below.
Every verdict is wrong with probability at most 1e-6.
"""

import numpy as np

EPSILON, THRESHOLD = 1.0, 1.0
COUNTS = ((1.0, 0.0), (0.0, 1.0))
"""What two queries count on either corpus."""


def algorithm_5(counts, runs, rng):
    """Noise on the threshold alone, and no end to the answers: Laplace of scale 2 sensitivity / epsilon."""
    threshold = THRESHOLD + rng.laplace(0, 2 / EPSILON, (runs, 1))
    return np.asarray(counts) >= threshold


def algorithm_1(counts, runs, rng):
    """Noise on threshold and queries, and an end after one answer above: the version that keeps epsilon."""
    threshold = THRESHOLD + rng.laplace(0, 2 / EPSILON, (runs, 1))
    above = np.asarray(counts) + rng.laplace(0, 4 / EPSILON, (runs, 2)) >= threshold
    above[above[:, 0], 1] = False  # nothing is answered after the end
    return above


def judged(scalar, algorithm):
    rng = np.random.default_rng(2017)
    draw = scalar.answers(lambda side, runs: (algorithm(COUNTS[side], runs, rng) @ [2, 1])[:, None])
    return scalar.judged(draw, (EPSILON, 0.0), atoms=4, centres=((), ()))


def test_algorithm_5_gives_answers_that_one_corpus_cannot_give(scalar, figure):
    found = judged(scalar, algorithm_5)
    figure(f"claimed {EPSILON}; epsilon at least {found.least:.3f} in {found.runs} runs")
    assert found.refuted


def test_algorithm_1_passes(scalar, figure):
    found = judged(scalar, algorithm_1)
    figure(f"claimed {EPSILON}; epsilon at least {found.least:.3f} in {found.runs} runs")
    assert not found.refuted
