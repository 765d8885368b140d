from collections import Counter
from fractions import Fraction

import pytest

from dpspin_experiments.sweep.conditions import Condition, Run, conditions, runs

BASE = Condition("record", "1", 20, 3, 5, "laplace", "1", "0", "1", None)


def test_a_grid_is_the_product_of_its_lists(bench):
    grid = bench.sweep.grids[0]
    found = list(conditions(grid, bench.sweep))
    assert len(found) == len(set(found)) == 2 * 4
    assert {each.delta for each in found if each.mechanism == "laplace"} == {"0"}
    assert {each.delta for each in found if each.mechanism != "laplace"} == {"1e-6"}


def test_a_run_of_two_grids_is_done_once(bench):
    found = runs(bench.sweep)
    shared = Run(BASE._replace(epsilon="4"), 0)
    assert set(found[shared]) == {"record-level", "ablation-L", "ablation-n"}
    asked = sum(len(list(conditions(grid, bench.sweep))) * grid.seeds for grid in bench.sweep.grids)
    assert asked == sum(map(len, found.values())) > len(found)


def test_ids_differ_whenever_anything_differs():
    other = dict(  # noqa: C408 - names of fields
        unit="user", sampling_rate="1/2", universe_size=21, max_atoms=2, plan_size=6, mechanism="gaussian",
        epsilon="2", delta="1e-6", mass_bound="2", probe_support=0,
    )  # fmt: skip
    made = [Run(BASE._replace(**{name: value}), 0) for name, value in other.items()]
    ids = [run.id("data") for run in (Run(BASE, 0), Run(BASE, 1), *made)] + [Run(BASE, 0).id("other data")]
    assert max(Counter(ids).values()) == 1


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("laplace", {"kind": "laplace"}),
        ("gaussian", {"kind": "gaussian", "calibration": "analytic"}),
        ("private_top_l", {"kind": "private_top_l", "em_mode": "paper", "selection_share": "1/2"}),
        ("private_top_l_tight", {"kind": "private_top_l", "em_mode": "tight", "selection_share": "1/2"}),
    ],
)
def test_terms_declare_the_mechanism(name, expected):
    terms = BASE._replace(mechanism=name, delta="0" if name == "laplace" else "1e-6").terms("600", 7)
    assert expected.items() <= terms.mechanism.items()
    assert (terms.plan_size, terms.max_atoms, terms.denominator) == (5, 3, "600")
    assert Fraction(terms.sampling_rate) == 1
    assert terms.selection_key != BASE.terms("600", 8).selection_key
