import pytest

from dpspin_experiments.results import utility_claims as claims

GOOD = {"laplace": (0.95, 1, 1), "gaussian": (0.92, 1, 1), "private_top_l": (0.4, 0.7, 0.9)}
LOSS = {"laplace": (5, 2, 1), "gaussian": (9, 3, 1), "private_top_l": (90, 50, 2)}


@pytest.mark.parametrize(("least", "verdict"), [(0.92, "agrees"), (0.6, "differs")])
def test_retained(made, least, verdict):
    values = {**GOOD, "gaussian": (least, 1, 1)}
    for unit, grid, judge in (
        ("record", "record-level", claims.retained),
        ("user", "user-level", claims.users_keep_mass),
    ):
        found = judge(made.evidence(*made.by_epsilon(grid, "mass_retained", values, unit)))
        assert found.verdict == verdict
        assert f"{least:.3f}" in found.measured
        assert bool(found.why) is (verdict == "differs")


def test_overlap(made):
    groups = made.by_epsilon("record-level", "mass_retained", GOOD)
    assert claims.overlap_is_more_sensitive(made.evidence(*groups)).verdict == "agrees"
    odd = made.group("record-level", {"overlap": 0.9, "mass_retained": 0.8}, mechanism="gaussian")
    assert claims.overlap_is_more_sensitive(made.evidence(*groups, odd)).verdict == "differs"


@pytest.mark.parametrize(("sparse", "verdict"), [(90, "agrees"), (8, "differs")])
def test_sparse_loss_at_the_least_epsilon(made, sparse, verdict):
    values = {**LOSS, "private_top_l": (sparse, 50, 2)}
    found = claims.sparse_loses_more_at_small_epsilon(made.evidence(*made.by_epsilon("record-level", "loss", values)))
    assert found.verdict == verdict
    assert "at epsilon 0.1" in found.measured


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [({}, "agrees"), ({"laplace": (1, 2, 3)}, "differs"), ({"gaussian": (200, 3, 1)}, "differs")],
)
def test_loss_falls(made, changed, verdict):
    groups = made.by_epsilon("record-level", "loss", {**LOSS, **changed})
    assert claims.loss_falls_with_epsilon(made.evidence(*groups)).verdict == verdict


@pytest.mark.parametrize(("sparse", "verdict"), [((0.4, 0.7, 0.9), "agrees"), ((0.9, 0.9, 0.9), "differs")])
def test_users_and_sparse_admission(made, sparse, verdict):
    groups = made.by_epsilon("user-level", "mass_retained", {**GOOD, "private_top_l": sparse}, "user")
    assert claims.users_sparse_depends_on_epsilon(made.evidence(*groups)).verdict == verdict


def test_nothing_measured(made):
    for judge in (
        claims.retained, claims.overlap_is_more_sensitive, claims.sparse_loses_more_at_small_epsilon,
        claims.loss_falls_with_epsilon, claims.users_keep_mass, claims.users_sparse_depends_on_epsilon,
    ):  # fmt: skip
        assert judge(made.evidence()).verdict == "not measured"
