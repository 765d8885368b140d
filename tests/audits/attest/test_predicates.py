"""Predicates: the layouts that others have published, exact numbers, and no time but the signer's days."""

import copy
import json
import re

import jsonschema
import pytest

from dpspin import canonical
from dpspin_audits.attest import predicates, statement, subjects
from dpspin_audits.attest.predicates import Terms
from dpspin_audits.attest.subjects import Given

DIGEST = {"type": "object", "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "minProperties": 1}
DESCRIPTOR = {
    "type": "object",
    "anyOf": [{"required": [one]} for one in ("uri", "digest", "content")],
    "properties": {"digest": DIGEST, "uri": {"type": "string", "format": "uri"}},
}
NAMES = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
TESTS = {
    "type": "object",
    "required": ["result", "configuration"],
    "properties": {
        "result": {"enum": ["PASSED", "WARNED", "FAILED"]},
        "configuration": {"type": "array", "items": DESCRIPTOR},
        "passedTests": NAMES,
        "warnedTests": NAMES,
        "failedTests": NAMES,
    },
}
"""in-toto test-result v0.1, as its page describes it."""
SUMMARY = {
    "type": "object",
    "required": ["verifier", "timeVerified", "resourceUri", "policy", "verificationResult", "verifiedLevels"],
    "properties": {
        "verifier": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}},
        "timeVerified": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"},
        "resourceUri": {"type": "string", "pattern": "^[a-z]+:"},
        "policy": DESCRIPTOR | {"required": ["uri"]},
        "verificationResult": {"enum": ["PASSED", "FAILED"]},
        "verifiedLevels": {"type": "array", "minItems": 1, "items": {"type": "string", "not": {"pattern": "^SLSA_"}}},
    },
}
"""SLSA verification_summary v1, as its page describes it."""


@pytest.fixture
def made(opened, period):
    def run(tree):
        found = opened(tree)
        about = subjects.of(found, Given("e" * 64))
        return predicates.predicates(found, about, Terms(period))

    return run


def test_the_predicates_stand_in_the_order_of_an_attestation(made, tree):
    assert tuple(made(tree)) == statement.KINDS


@pytest.mark.parametrize("status", ["pass", "fail", "inconclusive"])
def test_others_layouts_are_kept(made, tree, change, status):
    found = made(change(tree, "sensitivity", status=status))
    for kind, schema in ((statement.TEST_RESULT, TESTS), (statement.SUMMARY, SUMMARY)):
        jsonschema.validate(json.loads(canonical.dumps(found[kind])), schema)
    words = {"pass": ("PASSED", "PASSED"), "fail": ("FAILED", "FAILED"), "inconclusive": ("WARNED", "FAILED")}
    assert (found[statement.TEST_RESULT]["result"], found[statement.SUMMARY]["verificationResult"]) == words[status]
    assert found[statement.GUARANTEE]["result"] == words[status][0]
    granted = found[statement.SUMMARY]["verifiedLevels"]
    assert granted == ([predicates.LEVEL] if status == "pass" else ["FAILED"])


def test_the_charges_of_universe_and_release_stand_beside_each_other(made, charged, chain):
    assert made(charged)[statement.GUARANTEE]["charges"] == []
    tree = copy.deepcopy(charged)
    for row in tree["exposures"]:
        row["charge"] = {"universe.json": "0001", "deployment.yaml": None}.get(row["name"], "0002")
    own = next(row for row in tree["exposures"] if row["name"] == "transcript.jsonl")
    own["charge"] = None
    tree["accounting"]["universe"]["id"] = "0001"
    tree["accounting"]["charge"] = {"id": "0002", "epsilon": "1", "delta": "0"}
    found = made(chain(tree))[statement.GUARANTEE]
    assert [(row["id"], row["epsilon"]["exact"]) for row in found["charges"]] == [("0001", "1/2"), ("0002", "1/1")]
    assert found["loss"]["epsilon"]["exact"] == "3/2"


def test_the_schemas_would_notice(made, tree):
    found = json.loads(canonical.dumps(made(tree)[statement.SUMMARY]))
    for field in SUMMARY["required"]:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({key: value for key, value in found.items() if key != field}, SUMMARY)


def test_our_field_has_a_name_that_both_specifications_allow():
    assert re.fullmatch(r"[a-z]+:[^.$]+", statement.EXTENSION)


def test_checks_stand_in_the_list_of_their_outcome(made, tree, change):
    other = change(change(tree, "support", status="fail"), "locality", status="inconclusive")
    found = made(other)[statement.TEST_RESULT]
    assert found["failedTests"] == ["support"]
    assert found["warnedTests"] == ["locality"]
    listed = {*found["passedTests"], *found["warnedTests"], *found["failedTests"]}
    skipped = {row["id"] for row in other["checks"] if row["status"] == "not_run"}
    assert listed == {row["id"] for row in other["checks"]} - skipped
    assert skipped <= {row["id"] for row in found[statement.EXTENSION]["notAssessed"]}
    details = {row["id"]: row for row in found[statement.EXTENSION]["checks"]}
    one = next(row for row in other["checks"] if row["id"] == "accounting.claim")
    assert details["accounting.claim"]["figures"] == one["figures"]
    assert (details["support"]["status"], details["support"]["strength"]) == ("fail", "statistical")


def test_the_guarantee_is_exact(made, users):
    found = made(users)[statement.GUARANTEE]
    assert found["protects"]["unit"] == "user"
    assert found["protects"]["adjacency"] == "replacement"
    assert len(found["protects"]["notProtected"]) == 4
    assert found["loss"] == {
        "epsilon": {"given": "1", "exact": "1/1"},
        "delta": {"given": "1e-5", "exact": "1/100000"},
    }
    assert found["mechanism"]["kind"] == "gaussian"
    assert found["mechanism"]["massBound"] == {"given": "2", "exact": "2/1"}
    assert found["mechanism"]["scale"]["given"] == users["claim"]["scale"]
    assert found["accounted"]["theorem"] == users["accounting"]["accounted"]["theorem"]
    assert found["charges"] == []
    seals = [row["seal"] for row in found["certificates"]]
    assert seals == [users["certificates"][0]["seal"]]


def test_a_charge_is_named(made, tree):
    other = tree | {"accounting": tree["accounting"] | {"charge": {"id": "0002", "epsilon": "1", "delta": "0"}}}
    (charge,) = made(other)[statement.GUARANTEE]["charges"]
    assert charge == {"id": "0002", "epsilon": {"given": "1", "exact": "1/1"}, "delta": {"given": "0", "exact": "0/1"}}


def test_a_claim_that_the_deployment_does_not_make_is_the_subjects(made, tree, change):
    other = change(tree, "accounting.certificate", status="not_run", figures={})
    other["not_assessed"] = [{"id": "accounting.certificate", "what": "w", "why": "y"}, *other["not_assessed"]]
    costs = {"epsilon": "0.5", "claimed": "0.5", "delta": "0", "claimed_delta": "0"}
    other = change(other, "accounting.claim", figures=costs)
    other |= {"certificates": [], "claim": tree["claim"] | {"epsilon": "0.5"}}
    assert made(other)[statement.GUARANTEE]["loss"]["epsilon"] == {"given": "0.5", "exact": "1/2"}


def test_every_predicate_says_how_long_and_what_was_not_assessed(made, tree, period):
    for kind, predicate in made(tree).items():
        said = predicate if kind == statement.GUARANTEE else predicate[statement.EXTENSION]
        assert said["validity"] == period.tree()
        assert said["notAssessed"] == tree["not_assessed"]


def test_no_time_and_no_size_enters_but_the_days_of_the_signer(made, tree):
    text = canonical.dumps(made(tree)).decode()
    times = set(re.findall(r"\d{4}-\d\d-\d\d(?:T[\d:]+Z)?", text))
    assert times == {"2027-01-01", "2027-03-31", "2027-01-01T00:00:00Z", "2026-01-01"}  # the last: declared_at
    assert '"bytes":' not in text


def test_waivers_are_shown(made, tree, change):
    waiver = {"check": "support", "reason": "r", "approver": "a", "expires": "2027-06-30", "state": "in force"}
    other = change(tree, "support", status="fail") | {"gate": {"verdict": "pass", "waivers": [waiver], "known": []}}
    found = made(other)[statement.GUARANTEE]
    assert (found["result"], found["waivers"]) == ("FAILED", [waiver])
