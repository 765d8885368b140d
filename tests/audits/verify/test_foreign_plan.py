"""A stranger's plan: every field is accounted for, and every planted fault is named."""

import json

import pytest

from dpspin import canonical
from dpspin_audits.verify import foreign_plan

NAME = "plan.json"
CONFIG = {"mechanism": "laplace", "plan_size": 10, "epsilon": 1, "delta": 0}


@pytest.fixture
def tree(bundle):
    found = json.loads(bundle["plan.json"])
    del found["schema"]
    return found


def found(tree, config=None):
    """(rule, what) of each finding, and how the objects are covered."""
    read = canonical.loads(json.dumps(tree).encode(), NAME)
    part = foreign_plan.part(NAME, read, CONFIG if config is None else config)
    assert bool(part.findings) == any(cover == "nothing" for _, _, cover in part.objects)
    return [(one.rule, one.found) for one in part.findings], {name: cover for name, _, cover in part.objects}


def test_every_field_of_a_right_plan_is_an_object_that_something_covers(tree):
    findings, covers = found(tree)
    assert findings == []
    assert covers.pop("plan.json: released masses") == "charge: epsilon 1, delta 0"
    assert covers.pop("plan.json: labels, supports, bins, ranks") == "derived"
    assert covers.pop("plan.json: stamp") == "declared"
    fields = tree.keys() - {"released", "epsilon", "delta", "stamp"}
    assert covers == {f"plan.json: {field}": "declared" for field in fields}


@pytest.mark.parametrize(
    "mass", ["79.28153133392344", "79.2815313339233398437500000817", 79.28153133392344, "79.2815313"],
    ids=["binary64", "digits behind", "JSON number", "seven digits"],
)  # fmt: skip
def test_digits_that_no_lattice_has_are_named(tree, mass):
    tree["released"][0]["noisy_mass"] = mass
    findings, covers = found(tree)
    assert [rule for rule, _ in findings] == ["low-order digits"]
    assert covers["plan.json: released masses"] == "nothing"


@pytest.mark.parametrize("stated", ["2^-40", 2.0**-40])
def test_a_declared_lattice_that_masses_lie_on_covers_them(tree, stated):
    for row in tree["released"]:
        row["noisy_mass"] = float(row["noisy_mass"]) + 2.0**-40
    assert (
        "multiples of 2^-40"
        in foreign_plan.part(NAME, canonical.loads(json.dumps(tree).encode(), NAME), CONFIG).findings[0].remedy
    )
    findings, covers = found(tree, CONFIG | {"granularity": stated})
    assert findings == []
    assert covers["plan.json: released masses"].endswith("; multiples of the declared granularity")


@pytest.mark.parametrize(("mass", "more"), [
    (79.28153133392334, {}), ("79.281532", {}), ("79.3", {}), ("79.2815313", {"noise": {"granularity": "1e-7"}}),
    ("79.28153133392343", {"granularity": "1/100000000000000"}),
])  # fmt: skip
def test_decimals_that_are_short_or_declared_are_accounted_for(tree, mass, more):
    tree["released"][0]["noisy_mass"] = mass
    findings, _ = found(tree, CONFIG | more)
    assert "low-order digits" not in [rule for rule, _ in findings]


@pytest.mark.parametrize(("field", "stated"), [
    ("plan_size", 5), ("mechanism", "gaussian"), ("margin", "3"), ("public_denominator", 2999),
])  # fmt: skip
def test_a_public_field_that_the_settings_contradict_is_named(tree, field, stated):
    findings, covers = found(tree, CONFIG | {field: stated})
    assert [rule for rule, _ in findings] == ["not as declared"]
    assert covers[f"plan.json: {field}"] == "nothing"


def test_settings_that_name_a_rule_contradict_no_number(tree):
    assert found(tree, CONFIG | {"margin": "rule", "mechanism": "Laplace"})[0] == []


@pytest.mark.parametrize(("field", "value", "rule"), [
    ("mechanism", "laplace over 812 records", "record count"), ("mechanism", "x" * 41, "unknown"),
    ("plan_id", "y" * 41, "unknown"), ("public_text", {"note": "made from 812 records"}, "record count"),
    ("public_text", {"note": "made at 2026-01-02 03:04"}, "time stamp"), ("stamp", "my neighbour Gertrud", "stamp"),
])  # fmt: skip
def test_texts_that_speak_of_something_else_are_named(tree, field, value, rule):
    tree[field] = value
    findings, covers = found(tree, {"epsilon": 1})
    assert rule in [one for one, _ in findings]
    assert covers[f"plan.json: {field}"] == "nothing"


def test_a_stamp_of_the_settings_is_known(tree):
    tree["stamp"] = "for tests only"
    assert found(tree, CONFIG | {"stamp": "for tests only"})[0] == []
