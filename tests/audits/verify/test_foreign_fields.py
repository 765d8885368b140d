"""Fields of strangers' settings and plans."""

import pytest
from ruamel.yaml import YAML

from dpspin.errors import UsageError
from dpspin_audits.verify import foreign_fields
from dpspin_audits.verify.foreign_fields import leaves, loss, plain, strange


def test_leaves_have_path_and_name_of_the_nearest_field():
    tree = {"a": [{"b": 1}, [2, 3]], "c": None}
    assert list(leaves(tree, "")) == [("a.0.b", "b", 1), ("a.1.0", "a", 2), ("a.1.1", "a", 3), ("c", "c", None)]


def test_leaves_are_bounded_in_number_and_depth(monkeypatch):
    deep = 1
    for _ in range(100):
        deep = [deep]
    with pytest.raises(UsageError, match="levels"):
        list(leaves(deep, ""))
    monkeypatch.setattr(foreign_fields, "MOST_LEAVES", 3)
    assert len(list(leaves([1] * 3, ""))) == 3
    with pytest.raises(UsageError, match="more than 3 values"):
        list(leaves([1] * 4, ""))


@pytest.mark.parametrize(("text", "findings"), [
    ("epsilon: 1\nmodel: local", []), ("a:\n  seed: 5", [(2, "seed", "a.seed: 5")]),
    ("weights_sha256: " + "ab" * 32, []), ("corpus_sha256: " + "ab" * 32, [(1, "digest of data", None)]),
    ("plan_size: 5\nbatch_size: 5", [(2, "record count", "batch_size: 5")]),
    ("a: 1 # 400 users", [(1, "record count", "'400 users'")]), ("flags: {seeded: true, random: no}", []),
])  # fmt: skip
def test_settings_are_public_unless_they_speak_of_something_else(text, findings):
    part = foreign_fields.settings("config.yaml", text.encode(), YAML(typ="safe", pure=True).load(text))
    assert [(f.line, f.rule) for f in part.findings] == [(line, rule) for line, rule, _ in findings]
    assert all(words is None or f.found == words for f, (_, _, words) in zip(part.findings, findings, strict=True))


def test_strange_fields_of_a_plan_are_found_and_left_out():
    tree = {
        "universe": [{"index": 0, "label": "A", "count": 3}],
        "released": [],
        "seed": 1,
        "display": {"mass_dp": 1, "x": 2},
    }
    assert list(strange(tree)) == [("seed", "seed"), ("universe.0.count", "count"), ("display.x", "x")]
    kept = plain(tree, None)
    assert kept["universe"] == [{"index": 0, "label": "A"}]
    assert kept["display"] == {"mass_dp": 1}
    assert "seed" not in kept


@pytest.mark.parametrize(("tree", "config", "expected"), [
    ({"epsilon": "1", "delta": "0"}, None, "charge: epsilon 1, delta 0"),
    ({}, {"privacy": {"epsilon": 1, "delta": 1e-5}}, "charge: epsilon 1, delta 1e-05"),
    ({"epsilon": "1.0", "delta": 0}, {"epsilon": 1}, "charge: epsilon 1.0, delta 0"),
    ({"epsilon": "1"}, None, None), ({}, {"delta": 0}, None), ({"epsilon": "1", "delta": "0"}, {"delta": 0.1}, None),
    ({"epsilon": "much", "delta": "0"}, None, None),
])  # fmt: skip
def test_masses_are_charged_where_both_numbers_stand_and_nothing_contradicts_them(tree, config, expected):
    found, problem = loss(tree, config)
    assert found == expected
    assert bool(problem) == (expected is None)
