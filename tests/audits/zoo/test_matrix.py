"""Fault by check: every fault is caught by what is expected to catch it, and no correct implementation is accused.

A fault meets the checks that its docstring names, and a correct implementation all but the two of the distribution,
which `test_correct` and `test_false_alarms` try on it, and `sampling`.  What whole audits of every member found stands
in the record; `DPSPIN_DEEP=1` makes them anew (`test_record`).
"""

from dataclasses import replace

import pytest

from dpspin import canonical
from dpspin_audits.zoo import matrix
from dpspin_audits.zoo.catalogue import members
from dpspin_audits.zoo.costs import COSTS
from dpspin_audits.zoo.matrix import Hit, Row

ALL = members()
FAULTS = [one for one in ALL if one.kind == "Fault"]
OTHERS = [one for one in ALL if one.kind != "Fault"]
DISTRIBUTION = {"distribution.ideal", "distribution.bits"}
CONFIRMS = {"accounting.certificate"}
"""Another program's word on what `accounting.claim` has computed: it catches nothing alone, by design."""
AUDITS = 2
"""Whole audits of a fault, at least."""
RECORD = matrix.read()


@pytest.fixture
def effort(few):
    """Enough for what is recorded of a member."""
    little = replace(few, pilot=0, training=200, testing=400, searched=60)
    return lambda checks: replace(few, searched=60) if checks & DISTRIBUTION else little


@pytest.mark.parametrize("one", FAULTS, ids=lambda one: one.name)
def test_a_fault_is_caught(one, audit_of, effort):
    expected = set(one.caught_by)
    found = audit_of(one, expected, effort=effort(expected))
    failed = {name for name, check in found.items() if check["status"] == "fail"}
    assert expected <= failed, {name: found[name]["reason"] for name in expected - failed}
    strengths = {name: found[name]["strength"].replace("_", " ") for name in expected}
    assert all(strength in COSTS[name].strength for name, strength in strengths.items()), strengths


@pytest.mark.parametrize("one", OTHERS, ids=lambda one: one.name)
def test_no_other_is_accused(one, audit_of, effort):
    found = audit_of(one, set(COSTS) - DISTRIBUTION - {"sampling"}, effort=effort(set()))
    reasons = {name: check["reason"] for name, check in found.items() if check["status"] in ("fail", "error")}
    assert {name: reason for name, reason in reasons.items() if reason != "left out"} == {}
    ran = {name for name, check in found.items() if check["status"] == "pass"}
    assert {"hygiene", "contract", "rng", "canary", "support", "independence", "errors"} <= ran


@pytest.mark.parametrize("name", sorted(set(COSTS) - CONFIRMS))
def test_no_check_is_idle(name):
    """Take a check away, and a fault is missed: in no whole audit did another check find it."""
    alone = set(matrix.alone(RECORD, name))
    assert alone & {one.name for one in FAULTS if one.caught_by == (name,)}


@pytest.mark.parametrize("one", FAULTS, ids=lambda one: one.name)
def test_what_a_docstring_says_was_found_in_every_audit(one):
    row = RECORD[one.name]
    assert row.audits >= AUDITS
    assert set(one.caught_by) <= set(row.always)
    assert set(row.hits) <= set(COSTS)


@pytest.mark.parametrize("one", OTHERS, ids=lambda one: one.name)
def test_no_audit_accused_another(one):
    assert RECORD[one.name].hits == {}


def test_every_member_is_on_record_and_nothing_else():
    assert set(RECORD) == {one.name for one in ALL}


@pytest.mark.parametrize("name", COSTS)
def test_no_hit_cost_more_than_is_said(name):
    for row in RECORD.values():
        if name in row.hits:
            spent = row.hits[name].spent
            assert (spent["releases"] <= COSTS[name].releases, spent["plans"] <= COSTS[name].plans) == (True, True)
            assert all(one.replace("_", " ") in COSTS[name].strength for one in row.hits[name].strengths)


def test_there_are_enough():
    assert len(FAULTS) >= 45
    assert len([one for one in OTHERS if one.kind == "Correct"]) >= 10


def hit(**other):
    return {"strength": "exact", "releases": 0, "plans": 0, "cpu_ms": 1, **other}


def test_audits_are_joined_by_member():
    """Two audits of one fault: a check that failed in both, and one that failed in one of them."""
    both = {"rng": hit(releases=5, cpu_ms=70)}, {"rng": hit(releases=9, strength="statistical"), "canary": hit()}
    data = matrix.joined([("odd", both[0]), ("fine", {}), ("odd", both[1])])
    assert data == matrix.joined([("fine", {}), ("odd", both[1]), ("odd", both[0])])
    tree = canonical.loads(data, "matrix.json")
    assert (tree["schema"], tree["members"]["fine"]) == (matrix.SCHEMA, {"audits": 1, "hits": {}})
    assert tree["members"]["odd"]["hits"]["rng"] == {
        "times": 2, "strengths": ["exact", "statistical"], "releases": 9, "plans": 0, "cpu_ms": 70,
    }  # fmt: skip


def row(audits, **times):
    return Row(audits, {name: Hit(count, ("exact",), {}) for name, count in times.items()})


def test_a_fault_that_another_check_found_once_is_not_found_by_one_alone():
    found = {"a": row(3, rng=3), "b": row(3, rng=3, canary=1), "c": row(3, rng=2), "d": row(3), "e": row(3, budget=3)}
    assert (found["b"].always, found["b"].sometimes) == (["rng"], ["canary"])
    assert matrix.alone(found, "rng") == ["a"]
    assert matrix.alone(found, "canary") == []


def test_a_folder_of_audits_is_put_together(tmp_path):
    for name, found in {"odd.0": {"rng": hit()}, "odd.1": {}, "fine.0": {}}.items():
        (tmp_path / f"{name}.json").write_bytes(canonical.dumps(found))
    place = tmp_path / "out" / "matrix.json"
    place.parent.mkdir()
    matrix.write(str(tmp_path), place)
    assert place.read_bytes() == matrix.joined(matrix.parts(tmp_path))
    found = matrix.read(place)
    assert (found["odd"].audits, found["odd"].hits["rng"].times, found["fine"].hits) == (2, 1, {})
