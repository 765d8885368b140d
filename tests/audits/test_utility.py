"""The account of utility is that of the deployment, in units of mass and rounded up."""

from fractions import Fraction

import pytest

from dpspin_audits import utility


def by_id(tree):
    return {row["id"]: row for row in tree["statements"]}


def test_a_full_sketch_is_judged_by_its_noise_floor(setting):
    tree = utility.tree(setting)
    floor = Fraction(setting.floor, 2**20)
    assert 0 <= Fraction(tree["noise_floor"]) - floor < Fraction(1, 10**4)
    rows = by_id(tree)
    assert [rows[name]["kind"] for name in ("masses", "gap", "loss")] == ["exact", "bound", "bound"]
    assert Fraction(rows["gap"]["value"]) == pytest.approx(2 * float(floor), abs=1e-4)
    assert Fraction(rows["loss"]["value"]) == pytest.approx(6 * float(floor), abs=1e-4)
    assert {row["probability"] for row in rows.values()} == {"0.95"}


def test_admission_has_a_gap_of_its_own(setting_of):
    tree = utility.tree(setting_of(mechanism="top_l"))
    assert Fraction(by_id(tree)["gap"]["value"]) > 2 * Fraction(tree["noise_floor"])


def test_mechanisms_are_compared_and_the_best_is_among_them(setting_of):
    pure, some = utility.tree(setting_of()), utility.tree(setting_of(mechanism="gaussian"))
    for tree in (pure, some):
        rows = {row["mechanism"]: row for row in tree["comparison"]}
        best = tree["best"]
        assert min(Fraction(row["value_error"]) for row in rows.values()) == Fraction(
            rows[best["values"]]["value_error"]
        )
        assert best["selection"] in rows
    assert pure["assumed_delta"] is not None
    assert some["assumed_delta"] is None
