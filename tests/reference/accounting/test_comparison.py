"""Mechanisms side by side, with the figures that the specification states."""

import pytest

from dpspin.accounting.comparison import Best, Bound, best, compare
from dpspin.accounting.utility import admission_gap
from dpspin.mechanism import Laplace, PrivateTopL

PAPER = {"kind": "private_top_l", "epsilon": "1", "delta": "1e-5", "em_mode": "paper", "selection_share": "1/2"}


@pytest.fixture
def changed(demo):
    """The demonstration deployment with another mechanism, adjacency and plan size."""

    def _changed(mechanism, adjacency="add_drop", plan_size=10):
        plan = demo.plan.model_copy(update={"size": plan_size})
        return demo.model_copy(update={"mechanism": mechanism, "adjacency": adjacency, "plan": plan})

    return _changed


def laplace(epsilon="1"):
    return Laplace.model_validate({"kind": "laplace", "epsilon": epsilon, "delta": "0"})


def test_four_mechanisms_at_epsilon_1_and_46_atoms(changed):
    own = PrivateTopL.model_validate(PAPER | {"values": "gaussian"})
    found = {bound.mechanism: bound for bound in compare(changed(own), 46)}
    assert found["laplace"].value_error == pytest.approx(6.8, abs=0.01)
    assert found["gaussian"].value_error == pytest.approx(12.16, abs=0.01)  # the closed form says 13.8
    assert found["private_top_l, gaussian values"].selection_error == pytest.approx(365, abs=0.5)
    assert found["private_top_l, laplace values"].value_error == pytest.approx(10.55, abs=0.01)
    assert all(found[name].selection_error == 2 * found[name].value_error for name in ("laplace", "gaussian"))
    assert best(tuple(found.values())) == Best("laplace", "laplace")


@pytest.mark.parametrize(("epsilon", "smaller_from"), [("0.1", (90, 100)), ("0.5", (1500, 1600))])
def test_under_replacement_gaussian_noise_wins_from_some_size_on(changed, epsilon, smaller_from):
    below, above = (compare(changed(laplace(epsilon), "replacement"), atoms) for atoms in smaller_from)
    assert best(below[:2]) == Best("laplace", "laplace")
    assert best(above[:2]) == Best("gaussian", "gaussian")


def pure(bounds):
    """The mechanisms that spend no delta that the deployment does not have."""
    return tuple(bound for bound in bounds if not bound.delta_assumed)


def test_peeling_can_give_the_more_accurate_values_for_large_universes(changed):
    few, many = (pure(compare(changed(laplace(), plan_size=1), atoms)) for atoms in (10, 5000))
    assert best(few) == Best("laplace", "laplace")
    assert best(many) == Best("laplace", "private_top_l, laplace values")


def test_an_assumed_delta_buys_admission_of_one_atom_more_than_the_pure_sketch_gives(changed):
    bounds = {bound.mechanism: bound for bound in compare(changed(laplace(), plan_size=1), 10)}
    peeling, same_split = (bounds[f"private_top_l, {values} values"] for values in ("gaussian", "laplace"))
    assert peeling.delta_assumed
    assert peeling.selection_error < bounds["laplace"].selection_error < same_split.selection_error


def test_a_pure_deployment_is_compared_at_a_delta_that_is_named_as_assumed(changed):
    assert [(b.delta, b.delta_assumed) for b in compare(changed(laplace()), 46)] == [
        ("0", False), ("1e-5", True), ("0", False), ("1e-5", True),
    ]  # fmt: skip
    own = PrivateTopL.model_validate(PAPER | {"delta": "1e-7", "values": "gaussian"})
    assert [(b.delta, b.delta_assumed) for b in compare(changed(own), 46)] == [
        ("0", False), ("1e-7", False), ("0", False), ("1e-7", False),
    ]  # fmt: skip


def test_peeling_without_a_declaration_takes_the_tight_mode_and_one_half(changed):
    *_, peeled, _ = compare(changed(laplace(), "replacement"), 46)
    assert peeled.selection_error == pytest.approx(admission_gap(0.5 / 11, 46, 10, 0.05))


def test_nothing_is_left_out_where_every_atom_is_admitted(changed):
    assert {bound.selection_error for bound in compare(changed(laplace()), 10)} == {0}


def test_the_earlier_of_equal_bounds_is_best():
    first, second = (Bound(name, "0", delta_assumed=False, selection_error=1.0, value_error=1.0) for name in "ab")
    assert best((first, second)) == Best("a", "a")
    assert best((first, second._replace(value_error=0.5))) == Best("a", "b")
