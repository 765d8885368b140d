"""The layout of plan.json: rules that bind several rows, and numbers from strangers."""

import json

import pytest

from dpspin import plan
from dpspin.adjacency import MASS_UNIT
from dpspin.errors import UsageError
from dpspin.plan_file import PlanFile, contradictions
from dpspin.settings import validated


@pytest.fixture
def tree_of_plan(demo, five):
    masses = [(4, 9 * MASS_UNIT), (1, -3), (2, 2000 * MASS_UNIT + 1)]
    return json.loads(plan.encode(plan.build(masses, plan.terms_of(demo, five))))


def broken(tree):
    found = [(field, problem) for wrong, field, problem, _ in contradictions(validated(PlanFile, tree, "f")) if wrong]
    return found[0] if found else None


def test_a_released_plan_breaks_no_rule(tree_of_plan):
    assert broken(tree_of_plan) is None


def _swap(rows):
    rows[0], rows[1] = rows[1], rows[0]


@pytest.mark.parametrize(("change", "complaint"), [
    (lambda t: _swap(t["universe"]), ("universe", "not in order")),
    (lambda t: t["universe"].pop(2), ("universe", "not in order")),
    (lambda t: t["universe"].pop(4), ("released", "an atom outside the universe")),
    (lambda t: t["released"].append(t["released"][0]), ("released", "an atom stands twice")),
    (lambda t: t["released"].pop(), ("released", "2 atoms")),
    (lambda t: t["released"].clear(), ("released", "0 atoms")),
    (lambda t: t.update(plan_size=9), ("released", "3 atoms")),
    (lambda t: t["bins"].pop(0), ("bins.0", "another bin")),
    (lambda t: t["bins"][0].update(lower="0"), ("bins.0", "another bin")),
    (lambda t: t["bins"][1].update(lower="0.01"), ("bins.1.lower", "another cut")),
    (lambda t: t["bins"][1].update(lower=None), ("bins.1.lower", "another cut")),
    (lambda t: t["bins"][2].update(lower=None), ("bins", "cuts do not ascend")),
    (lambda t: t["bins"][3].update(lower="0.05"), ("bins", "cuts do not ascend")),
    (lambda t: _swap(t["bins"][2:]) or t["bins"].append(t["bins"].pop(2)), ("bins", "cuts do not ascend")),
    (lambda t: t["bins"][3].update(name="low"), ("bins", "a name stands twice")),
])  # fmt: skip
def test_rows_that_contradict_each_other_are_named(tree_of_plan, change, complaint):
    change(tree_of_plan)
    assert broken(tree_of_plan) == complaint


@pytest.mark.parametrize(("field", "value"), [
    ("schema", "dpspin-plan/2"), ("public_denominator", "0"), ("public_denominator", -1), ("public_denominator", True),
    ("noise_floor", "-1"), ("margin", "-0"), ("margin", "1e999"), ("plan_size", 0), ("plan_size", "3"),
    ("epsilon", "0"), ("epsilon", "NaN"), ("delta", "-1e-9"), ("universe", []), ("released", {}), ("bins", []),
    ("public_text", {"a": 1}), ("stamp", 5), ("plan_id", None), ("mechanism", None),
    ("display", {"mass_dp": 10**9, "support_dp": 0}),
    ("display", {"mass_dp": 0, "support_dp": -1}),
])  # fmt: skip
def test_values_out_of_range_are_refused(tree_of_plan, field, value):
    with pytest.raises(UsageError, match=f"^f: {field}"):
        validated(PlanFile, tree_of_plan | {field: value}, "f")


def test_every_field_is_described():
    schema = PlanFile.model_json_schema()
    models = [schema, *schema["$defs"].values()]
    assert all(inner.get("description") for model in models for inner in model["properties"].values())
