"""The plan follows from its masses and its deployment, or what does not is named by its path."""

import json
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin import plan as plans
from dpspin_audits.verify import declared, plan


@pytest.fixture(scope="module")
def setting(bundle):
    return declared.setting_of(bundle, None)[0]


def places(tree, path=()):
    for step, inner in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        yield (*path, step)
        yield from places(inner, (*path, step))


def test_the_plan_of_a_release_follows(bundle, setting):
    built, found = plan.derived(bundle, setting)
    assert found == []
    assert built == plans.decode(bundle["plan.json"], "plan.json")
    assert plan.derived({}, setting) == (None, [])


@given(st.data())
def test_whatever_is_changed_is_found_and_nothing_raises(bundle, setting, breaker, data):
    tree = json.loads(bundle["plan.json"])
    path = data.draw(st.sampled_from([path for path in places(tree) if path != ("plan_id",)]))
    value = data.draw(st.sampled_from([None, True, 0, 7, "x", "0.5", [], {}, [{}], {"index": 0}, "1e99", -3, "NaN"]))

    group = reduce(lambda part, step: part[step], path[:-1], tree)
    same, group[path[-1]] = group[path[-1]] == value, value
    files = bundle | {"plan.json": breaker.edit(lambda inner: (inner.clear(), inner.update(tree)))}
    found = plan.derived(files, setting)[1]
    assert bool(found) != same
    assert all(f.file == "plan.json" and f.line == 1 and f.found.isprintable() for f in found)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"released":[]}\n', b'{"released":{"a":1}}', b'{"released":[3]}']
)
def test_what_holds_no_masses_is_one_finding(setting, data):
    built, found = plan.derived({"plan.json": data}, setting)
    assert (built, [f.rule for f in found]) == (None, ["plan"])


def test_a_plan_on_many_lines_is_found_on_its_line(bundle, setting):
    tree = json.loads(bundle["plan.json"])
    spread = json.dumps(tree | {"margin": "7"}, indent=1).encode()
    found = plan.derived({"plan.json": spread}, setting)[1]
    assert [(f.rule, f.found.partition(":")[0]) for f in found] == [("not as declared", "margin")]
    assert b'"margin"' in spread.splitlines()[found[0].line - 1]
    assert [f.rule for f in plan.derived({"plan.json": json.dumps(tree).encode()}, setting)[1]] == ["not canonical"]
