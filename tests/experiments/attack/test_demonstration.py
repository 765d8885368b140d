"""The table: deterministic, below the bound for a plan that keeps its claim, above it where noise is missing."""

import pytest
from scipy.stats import binom

from dpspin.settings import Exact
from dpspin_experiments.attack import demonstration
from dpspin_experiments.attack.demonstration import CHANCE, Terms, demonstrate

TERMS = Terms(b"table", 40, (0, 50))


@pytest.fixture(scope="module")
def table(setting):
    return demonstrate(setting, Exact("1"), TERMS)


def test_rows_stand_in_order_and_follow_from_the_seed(setting, table):
    assert [(row.release, row.crafted) for row in table] == [
        ("clusters", 0), ("clusters", 50), ("plan", 0), ("plan", 50),
    ]  # fmt: skip
    again = demonstrate(setting, Exact("1"), TERMS._replace(crafted=(50,)))
    assert again == [table[1], table[3]]


def test_clusters_tell_with_crafted_records_and_only_with_them(table):
    none, fifty = table[:2]
    # 40 trials with rates of 0 and 0.998 of telling anything: false alarm below 1e-9
    assert abs(none.success - CHANCE) < 0.1
    assert fifty.success > 0.8
    assert fifty.epsilon_at_least > 1
    assert none.bound is fifty.bound is None


def test_a_plan_stays_below_its_bound_however_many_records_are_crafted(table):
    for row in table[2:]:
        # 4,000 guesses: six standard errors are 0.05, and the true rate is below 0.61
        assert CHANCE < row.success < row.bound
        assert row.epsilon_at_least <= row.claimed == 1
        assert not row.refuted
        assert row.bound == pytest.approx(0.7310585786300049)


def test_a_plan_with_too_little_noise_is_found(setting, monkeypatch):
    """The plan is released with a quarter of the noise that its claim needs."""
    monkeypatch.setattr(demonstration, "under_replacement", lambda deployment: (1, 0))
    row = demonstrate(setting, Exact("4"), TERMS._replace(crafted=(50,)))[1]
    assert row.claimed == 1
    assert row.epsilon_at_least > 1
    assert row.success > row.bound
    assert row.least > row.bound  # at confidence 0.999, and far beyond it
    assert row.refuted


def test_intervals_hold_the_rate_and_close_with_more_runs(table):
    for row in table:
        assert row.least < row.success < row.most or row.success == row.most == 1
    few, many = table[0], table[2]
    assert many.most - many.least < (few.most - few.least) / 4


def test_intervals_are_those_of_clopper_and_pearson():
    least, most = demonstration._interval(15, 40)
    tail = demonstration.ALPHA / 2
    assert binom.sf(14, 40, least) == pytest.approx(tail)
    assert binom.cdf(15, 40, most) == pytest.approx(tail)
    assert demonstration._interval(40, 40)[1] == 1
