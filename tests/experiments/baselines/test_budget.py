"""Shares and scales: closed forms, brute force over contributions, and totals that a forgotten stage cannot keep."""

from fractions import Fraction
from itertools import combinations, product
from math import isclose, sqrt

import numpy as np
import pytest

from dpspin.accounting.gaussian import analytic_sigma
from dpspin.curator.noise import SeededBits
from dpspin_experiments.baselines.budget import Budget, Stage, budget_of, moved
from dpspin_experiments.baselines.urania import Urania
from dpspin_experiments.baselines.vocabulary import Vocabulary

PURE = Budget(Fraction(1), Fraction(0), "add_drop")
NORMAL = Budget(Fraction(1), Fraction("1e-5"), "add_drop")
STAGES = Urania(Vocabulary("keyword", tuple("abcdefghij"), 5), ((0,), (1,)), 2, 50).stages


def test_laplace_scales_are_the_closed_form():
    assert [PURE.scale(stage) for stage in STAGES] == [24, 24, 10, Fraction(25, 2)]
    replaced = PURE._replace(adjacency="replacement")
    assert [replaced.scale(stage) for stage in STAGES] == [48, 48, 20, 25]


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
@pytest.mark.parametrize("epsilon", ["1/3", "1", "4"])
def test_laplace_stages_cost_the_claim_exactly(adjacency, epsilon):
    budget = Budget(Fraction(epsilon), Fraction(0), adjacency)
    assert budget.total(STAGES) == (Fraction(epsilon), 0)


def test_a_stage_that_was_not_counted_shows_in_the_total():
    uncounted = (*STAGES, STAGES[0]._replace(name="one more round"))
    assert PURE.total(uncounted).epsilon == Fraction(5, 4)
    assert NORMAL.total(uncounted).delta > NORMAL.delta


def test_one_gaussian_stage_is_one_analytic_release():
    stage = Stage("counts", Fraction(1), 5, 5)
    assert NORMAL.scale(stage) == Fraction(analytic_sigma(Fraction(1), Fraction("1e-5"), Fraction(5)))
    grown = NORMAL._replace(adjacency="replacement").scale(stage) / NORMAL.scale(stage)
    assert isclose(grown, sqrt(2), rel_tol=1e-12)


def test_gaussian_stages_together_keep_the_claim_and_waste_nothing():
    total = NORMAL.total(STAGES)
    assert total.epsilon == 1
    assert Fraction("0.99999e-5") < total.delta <= Fraction("1e-5")


@pytest.mark.parametrize("most", [1, 2])
def test_no_pair_of_contributions_is_farther_apart_than_stated(most):
    vectors = [
        [int(at in chosen) for at in range(4)] for size in range(most + 1) for chosen in combinations(range(4), size)
    ]
    stage = Stage("counts", Fraction(1), most, most)
    added = max(sum(vector) for vector in vectors), max(sum(x * x for x in vector) for vector in vectors)
    assert moved(stage, "add_drop") == added
    gaps = [[x - y for x, y in zip(left, right, strict=True)] for left, right in product(vectors, vectors)]
    apart = max(sum(map(abs, gap)) for gap in gaps), max(sum(x * x for x in gap) for gap in gaps)
    assert moved(stage, "replacement") == apart


@pytest.mark.parametrize("budget", [PURE, NORMAL])
def test_noise_has_the_stated_scale(budget):
    stage = Stage("counts", Fraction(1), 4, 4)
    drawn = budget.draw(stage, (20_000,), SeededBits(b"budget"), rigorous=False)
    scale = float(budget.scale(stage))
    deviation = scale * (1 if budget.delta else sqrt(2))
    # five standard errors and more of the deviation of 20,000 draws: false alarm below 1e-6
    assert abs(np.std(drawn) / deviation - 1) < 0.06


def test_rows_are_exact_and_the_claim_is_the_deployments(setting, replaced):
    assert budget_of(setting.deployment) == PURE
    assert budget_of(replaced.deployment).adjacency == "replacement"
    row = PURE.rows(STAGES)[3]
    assert (row["stage"], row["scale"], row["l1"], row["noise"]) == ("keywords", "25/2", "5", "laplace")
