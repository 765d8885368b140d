"""Clusters of texts: planted groups are found, small ones are dropped, descriptions by brute force."""

import numpy as np

from dpspin_experiments.baselines.clustering import GRID, Shape, clusters, described, directions, table

GROUPS = ("anchor harbour sailor mast", "violin concert bows string", "flour oven baker crust")
TEXTS = [GROUPS[at % 3] for at in range(60)] + ["alone quiet corner"]
SHAPE = Shape(4, 10, 4)


def found(seed=3):
    held = table(TEXTS)
    rows = directions(held.held, held.held.mean(axis=0) > 0.5)
    return held, rows, clusters(rows, SHAPE, np.random.default_rng(seed))


def test_planted_groups_are_found_and_a_small_one_is_dropped():
    held, _, nearest = found()
    assert all(len({*nearest[at:60:3]}) == 1 for at in range(3))
    told = described(held.held, nearest, SHAPE)
    assert sorted(each.size for each in told) == [20, 20, 20]
    named = {frozenset(held.terms[at] for at in each.terms) for each in told}
    assert named == {frozenset(text.split()) for text in GROUPS}


def test_the_same_stream_gives_the_same_clusters():
    assert found(1)[2].tolist() == found(1)[2].tolist()


def test_directions_have_length_one_on_the_grid_and_leave_common_terms_out():
    held = table(["same words here", "same other words", "same"])
    rows = directions(held.held, held.held.mean(axis=0) > 0.7).toarray()
    assert rows[:, held.terms.index("same")].tolist() == [0, 0, 0]
    assert np.allclose(np.linalg.norm(rows[:2], axis=1), GRID, rtol=2e-3)
    assert rows[2].tolist() == [0] * len(held.terms)


def test_descriptions_weigh_count_by_share():
    held = np.array([[1, 1, 0], [1, 0, 1], [1, 0, 0], [1, 1, 0]], float)
    told = described(held, np.array([0, 0, 1, 1]), Shape(2, 2, 2))
    # cluster 0 holds columns 2, 1, 1 times of 4, 2, 1: weights 1, 1/2, 1; cluster 1 holds them 2, 1, 0 times
    assert [each.terms for each in told] == [(0, 2), (0, 1)]
    assert described(held, np.array([0, 0, 0, 1]), Shape(2, 2, 2))[0].size == 3


def test_fewer_different_rows_than_clusters_are_no_error():
    rows = directions(np.ones((3, 2)), np.array([False, False]))
    assert clusters(rows, Shape(5, 1, 1), np.random.default_rng(0)).tolist() == [0, 0, 0]
