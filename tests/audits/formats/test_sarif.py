"""SARIF: valid by the official schema, anchored, with the same fingerprints, and no attack gets through."""

import json
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from dpspin_audits.checks.explain import explanations
from dpspin_audits.formats import sarif
from dpspin_audits.formats.opened import of_tree

SCHEMA = Path(__file__).with_name("sarif-schema-2.1.0.json")


@cache
def validator():
    return jsonschema.Draft4Validator(json.loads(SCHEMA.read_bytes()))


def run_of(evidence):
    log = json.loads(sarif.encode(evidence))
    validator().validate(log)
    (run,) = log["runs"]
    return run


def test_the_official_schema_refuses_what_is_wrong(invented):
    log = json.loads(sarif.encode(invented("fail")))
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert list(validator().iter_errors(log))


def test_every_kind_of_evidence_is_valid(any_kind):
    run = run_of(any_kind)
    bad = {"fail", "error", "inconclusive"}
    assert len(run["results"]) == sum(check.status in bad for check in any_kind.case.checks)
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_each_check_is_a_rule_with_its_explanation(invented):
    rules = {rule["id"]: rule for rule in run_of(invented())["tool"]["driver"]["rules"]}
    assert rules.keys() >= explanations().keys()
    for id_, found in explanations().items():
        assert found.question.partition("{")[0] in rules[id_]["fullDescription"]["text"]
        assert found.false_alarms[:40].partition("{")[0] in rules[id_]["help"]["text"]


def test_a_finding_stands_at_its_file_and_line(invented):
    run = run_of(invented("fail"))
    by_rule = {result["ruleId"]: result for result in run["results"]}
    place = by_rule["hygiene"]["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "release/run_info.json", "uriBaseId": "BUNDLE"}, "region": {"startLine": 4},
    }  # fmt: skip
    assert "BUNDLE" in run["originalUriBaseIds"]
    logical = by_rule["canary"]["locations"][0]["logicalLocations"][0]
    assert logical["fullyQualifiedName"] == "complaints-2026q2/canary"


def test_code_scanning_takes_every_result(any_kind):
    """GitHub refuses a whole log for one result without file, line, rule or message (ingestion rules GH1001-GH1003)."""
    for result in run_of(any_kind)["results"]:
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uri"]
        assert not place["artifactLocation"]["uri"].startswith("/")
        assert place["region"]["startLine"] >= 1
        assert result["message"]["text"]
        assert result["partialFingerprints"]["primaryLocationLineHash"].endswith(":1")


@pytest.mark.parametrize(
    ("location", "uri", "line"),
    [({"file": "plan.json", "line": None}, "plan.json", 1), ({"file": "summary.txt", "line": 7}, "summary.txt", 7),
     ({"file": "(printed)", "line": 3}, "deployment.yaml", 1),
     ({"file": "/srv/left", "line": None}, "deployment.yaml", 1),
     ({"file": "release", "line": None}, "deployment.yaml", 1), (None, "deployment.yaml", 1)],
)  # fmt: skip
def test_what_is_in_no_file_of_the_release_stands_where_the_claim_does(invented, location, uri, line):
    evidence = invented("fail")
    evidence.tree["checks"][4]["location"] = location
    id_ = evidence.tree["checks"][4]["id"]
    (found,) = (result["locations"][0] for result in run_of(evidence)["results"] if result["ruleId"] == id_)
    place = found["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]) == (uri, {"startLine": line})
    assert ("logicalLocations" in found) == (uri == "deployment.yaml")


def test_levels(invented):
    levels = {result["ruleId"]: result["level"] for result in run_of(invented("fail"))["results"]}
    assert (levels["hygiene"], levels["sensitivity"], levels["distribution.bits"]) == ("error", "error", "warning")
    assert "rng" not in levels


def test_what_was_not_assessed_is_told(invented):
    run = run_of(invented("fail"))
    notes = [note["message"]["text"] for note in run["invocations"][0]["toolExecutionNotifications"]]
    assert any("NoiseInjectable" in note for note in notes)
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run_of(invented())["invocations"][0]["executionSuccessful"] is True


def test_fingerprints_follow_the_finding_and_not_the_run(invented):
    first, again = invented("fail"), invented("fail")
    for check in again.tree["checks"]:
        check["summary"] += " with other figures"
        if check["location"]:
            check["location"]["line"] = 9
    prints = [{r["ruleId"]: r["fingerprints"] for r in run_of(one)["results"]} for one in (first, again)]
    assert prints[0] == prints[1]
    assert len({json.dumps(value) for value in prints[0].values()}) == len(prints[0])
    again.tree["deployment"]["name"] = "another"
    assert {r["ruleId"]: r["fingerprints"] for r in run_of(again)["results"]} != prints[0]


@pytest.mark.parametrize(("state", "status"), [("in force", "accepted"), ("expired", "rejected")])
def test_a_waiver_is_a_suppression_with_its_reason(invented, state, status):
    waiver = {"check": "hygiene", "reason": "moved soon", "approver": "Ada", "expires": "2027-01-01", "state": state}
    gate = {"verdict": "fail", "known": ["canary"], "waivers": [waiver]}
    evidence = of_tree(invented("fail").tree | {"gate": gate})
    results = {result["ruleId"]: result for result in run_of(evidence)["results"]}
    (found,) = results["hygiene"]["suppressions"]
    assert found["status"] == status
    assert found["justification"] == "moved soon Approved by Ada, until 2027-01-01."
    assert results["contract"]["suppressions"] == []
    assert (results["canary"]["baselineState"], results["hygiene"]["baselineState"]) == ("unchanged", "new")


def test_a_stamp_is_told(invented):
    assert run_of(invented("stamped"))["properties"]["stamp"].startswith("NON-PRIVATE")
    assert "stamp" not in run_of(invented())["properties"]


def test_a_path_out_of_the_bundle_is_no_address(invented):
    evidence = invented("fail")
    evidence.tree["checks"][4]["location"] = {"file": "../../etc/passwd", "line": 1}
    assert ".." not in json.dumps([result["locations"] for result in run_of(evidence)["results"]])


def test_attacks_stay_words(hostile):
    run = run_of(hostile)
    texts = json.dumps([run["results"], run["invocations"]], ensure_ascii=False)
    assert texts.isprintable()
    assert "](javascript" not in texts
    assert "{{{{ 7 * 7 }}}}" in texts
    for result in run["results"]:
        uri = result["locations"][0].get("physicalLocation", {}).get("artifactLocation", {}).get("uri", "")
        assert not set(uri) & set("<>\"' :|")


def test_a_charged_universe_stands_beside_the_claim(invented):
    found = run_of(invented("charged"))["properties"]
    assert (found["claim"]["epsilon"], found["universe"]["epsilon"], found["total"]["epsilon"]) == ("1", "0.5", "1.5")
    assert not {"universe", "total"} & run_of(invented("pass"))["properties"].keys()
