"""Policies: each demand, met and not met; strict files; and the worked example."""

import datetime
from pathlib import Path

import jsonschema
import pytest

from dpspin import plan
from dpspin.errors import IntegrityError, UsageError
from dpspin_audits.attest import policy
from dpspin_audits.attest.policy import Seen

ROOT = Path(__file__).parents[3]
DAY = datetime.date(2027, 2, 1)
FILES = ("deployment.yaml", "universe.json", "plan.json", "summary.txt", "transcript.jsonl", "evidence.json")


def load(text):
    return policy.load(f"schema: dpspin-policy/1\n{text}\n".encode(), "policy.yaml")


@pytest.fixture
def refused(read, tree):
    """The demand that is not met first, or None."""

    def run(text, other=None, compared=FILES, today=DAY):
        seen = Seen(read(tree if other is None else other), compared, today)
        try:
            policy.enforce(load(text), seen, "policy.yaml")
        except IntegrityError as error:
            return str(error)
        return None

    return run


def test_a_policy_that_demands_nothing_demands_a_pass(refused, tree, change):
    assert refused("") is None
    for status, word in (("fail", "FAILED"), ("inconclusive", "WARNED")):
        assert f"result: expected PASSED, found {word}" in refused("", change(tree, "sensitivity", status=status))


def test_limits_bound_the_sum_with_a_charged_universe(refused, charged):
    assert refused('max_epsilon: "1.5"\nmax_delta: "1e-7"', charged) is None
    assert "max_epsilon: expected at most 1.499, found 1.5" in refused('max_epsilon: "1.499"', charged)
    assert "max_epsilon: expected at most 1, found 1.5" in refused('max_epsilon: "1"', charged)
    assert "max_delta: expected at most 0, found 0.0000001" in refused('max_delta: "0"', charged)


@pytest.mark.parametrize(
    ("met", "unmet", "said"),
    [
        ("unit: record", "unit: user", "unit: expected user, found record"),
        ("adjacency: add_drop", "adjacency: replacement", "adjacency: expected replacement, found add_drop"),
        ('max_epsilon: "1"', 'max_epsilon: "0.9999999999999999999"', "max_epsilon: expected at most 0.99999"),
        ('max_epsilon: "3/3"', 'max_epsilon: "999/1000"', "max_epsilon: expected at most 999/1000, found 1"),
        ('max_delta: "0"', None, None),
        ("max_age_days: 31", "max_age_days: 30", "max_age_days: expected at most 30 days, found 31"),
        (
            "checks: [{check: sensitivity}]",
            "checks: [{check: sensitivities}]",
            "checks: sensitivities: expected pass, found no",
        ),
        (
            "checks: [{check: sensitivity, strength: exact_on_hit}]",
            "checks: [{check: sensitivity, strength: exact}]",
            "checks: sensitivity: expected exact or stronger, found exact_on_hit",
        ),
        (
            "checks: [{check: accounting.claim, strength: statistical}]",
            "checks: [{check: timing}]",
            "checks: timing: expected pass, found not_run",
        ),
        ("subjects: [plan.json]", "subjects: [plan.json, report.html]", "subjects: expected report.html, compared"),
    ],
)
def test_each_demand_is_met_or_named(refused, met, unmet, said):
    assert refused(met) is None
    if unmet:
        assert refused(unmet).startswith(f"policy.yaml: {said}")


def test_delta_is_compared_exactly(refused, users):
    assert refused('max_delta: "1e-5"', users) is None
    assert "max_delta: expected at most 9.999e-6, found 1e-5" in refused('max_delta: "9.999e-6"', users)


def test_only_listed_signers_may_have_signed(refused, pair):
    assert refused(f'signers: ["{pair.keyid}"]') is None
    assert f"signers: expected one of the ids listed, found {pair.keyid}" in refused(f'signers: ["{"0" * 64}"]')


def test_the_order_of_strengths():
    assert policy.STRONGEST_FIRST == ("proved", "exact", "exact_on_hit", "statistical", "declared")


def test_a_file_that_was_not_compared_does_not_count(refused):
    assert "plan.json" in refused("subjects: [plan.json]", compared=())


def waived(tree, change, expires="2027-02-01", check="support", **status):
    waiver = {"check": check, "reason": "r", "approver": "a", "expires": expires, "state": "in force"}
    gate = {"verdict": "pass", "waivers": [waiver], "known": []}
    return change(tree, "support", **(status or {"status": "fail"})) | {"gate": gate}


def test_a_waived_finding_stands_where_the_policy_says_so_and_as_long_as_the_waiver_holds(refused, tree, change):
    other = waived(tree, change)
    assert "result: expected PASSED, found FAILED" in refused("", other)
    assert refused("allow_waivers: true", other) is None
    assert refused("allow_waivers: true\nchecks: [{check: support}]", other) is None
    late = refused("allow_waivers: true", other, today=DAY + datetime.timedelta(1))
    assert "allow_waivers: expected support: pass, or a waiver in force, found fail" in late


def test_a_waiver_accepts_neither_another_finding_nor_a_missing_answer_nor_a_baseline(refused, tree, change):
    two = change(waived(tree, change), "locality", status="fail")
    assert "expected locality: pass" in refused("allow_waivers: true", two)
    silent = change(waived(tree, change), "sensitivity", status="inconclusive")
    assert "expected sensitivity: pass" in refused("allow_waivers: true", silent)
    known = change(tree, "support", status="fail") | {"gate": {"verdict": "pass", "waivers": [], "known": ["support"]}}
    assert "expected support: pass" in refused("allow_waivers: true", known)


def test_no_waiver_accepts_a_stamp(refused, tree, stamped):
    assert "a stamped one" in refused("allow_waivers: true", stamped(tree, plan.SEEDED))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("max_epsilon: 1", "max_epsilon: cannot use 1"),
        ("max_epsilon: 1e-6", "line 2"),
        ('max_epsilon: "-1"', "write a number that is not negative"),
        ('max_epsilon: "inf"', "max_epsilon: cannot use"),
        ("max_age_days: -1", "write a whole number from 0 on"),
        ("epsilon: 1", "epsilon: unknown field"),
        ("unit: person", 'unit: cannot use "person"'),
        ("checks: {}", "checks: cannot use"),
        ("checks: [sensitivity]", "checks.0: cannot use"),
        ("checks: [{check: a, strength: strong}]", "checks.0.strength: cannot use"),
        ("checks: [{check: a, strenght: exact}]", "checks.0.strenght: unknown field"),
        ("signers: []", "signers: cannot use an empty list"),
        ("signers: [abc]", "signers.0: cannot use"),
        ("allow_waivers: yes", "write true or false"),
        ("unit: record\nunit: user", "twice"),
        ("schema: dpspin-policy/1", "twice"),
    ],
)
def test_a_policy_that_cannot_be_used_is_the_callers_mistake(text, said):
    with pytest.raises(UsageError, match="policy") as caught:
        load(text)
    assert said in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("data", [b"", b"[]", b"schema: dpspin-policy/2\n", b"\xff", b"unit: record\n"])
def test_what_is_no_policy_is_refused(data):
    with pytest.raises(UsageError):
        policy.load(data, "policy.yaml")


def test_the_worked_example_demands_what_it_shows(refused, tree):
    text = (ROOT / "docs" / "examples" / "policy.yaml").read_text(encoding="utf-8")
    found = policy.load(text.encode(), "policy.yaml")
    assert found.max_epsilon == 1
    assert len(found.checks) == 9
    body = text.replace("schema: dpspin-policy/1", "")
    assert refused(body) is None
    assert "subjects" in refused(body, compared=FILES[1:])


def test_the_schema_accepts_the_example_and_refuses_an_unknown_field():
    schema = policy.Policy.model_json_schema()
    good = {"schema": "dpspin-policy/1", "max_epsilon": "1", "checks": [{"check": "rng", "strength": "exact"}]}
    jsonschema.validate(good, schema)
    for wrong in ({"epsilon": "1"}, {"max_epsilon": 1}, {"checks": [{}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(good | wrong, schema)
