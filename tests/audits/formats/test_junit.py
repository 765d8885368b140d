"""JUnit XML: valid, complete, and red exactly where the exit code of the audit is not 0."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema

from dpspin_audits.formats import junit
from dpspin_audits.formats.opened import of_tree

SCHEMA = xmlschema.XMLSchema(Path(__file__).with_name("junit.xsd"))


def suite_of(evidence):
    data = junit.encode(evidence)
    SCHEMA.validate(data.decode())
    (suite,) = ElementTree.fromstring(data)
    return suite


def cases(suite):
    return {case.get("name"): next(iter(case), None) for case in suite.findall("testcase")}


def red(suite):
    return {name for name, child in cases(suite).items() if child is not None and child.tag in ("failure", "error")}


def test_the_schema_refuses_what_is_wrong(invented):
    text = junit.encode(invented("fail")).decode()
    assert not SCHEMA.is_valid(text.replace("<failure", "<fault", 1).replace("</failure", "</fault", 1))
    assert not SCHEMA.is_valid(text.replace(' tests="', ' tests="-', 1))


def test_every_check_is_a_case_and_counts_agree(any_kind):
    suite = suite_of(any_kind)
    assert {check.id for check in any_kind.case.checks} <= cases(suite).keys()
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert int(suite.get(name)) == len(suite.findall(f"testcase/{tag}"))
    assert int(suite.get("tests")) == len(suite.findall("testcase"))


def test_red_exactly_where_the_audit_does_not_exit_with_zero(any_kind):
    decides = any_kind.tree["gate"] or any_kind.tree
    assert bool(red(suite_of(any_kind))) == (decides["verdict"] != "pass")


def test_answers_and_their_absence(invented):
    found = cases(suite_of(invented("fail")))
    assert {name: found[name].tag for name in ("hygiene", "sensitivity", "distribution.bits", "rng", "proofs")} == {
        "hygiene": "failure", "sensitivity": "error", "distribution.bits": "error", "rng": "error", "proofs": "skipped",
    }  # fmt: skip
    assert found["rng"].get("type") == "not_run"
    assert "NoiseInjectable" in found["rng"].get("message")
    assert found["universe.provenance"] is None


def gate(evidence, state, verdict, known=()):
    rows = [{"check": "hygiene", "reason": "r", "approver": "a", "expires": "2027-01-01", "state": state}]
    gate_ = {"verdict": verdict, "known": list(known), "waivers": rows}
    return suite_of(of_tree(evidence.tree | {"gate": gate_}))


@pytest.mark.parametrize(("state", "stays"), [("in force", False), ("expired", True)])
def test_a_waived_finding_is_skipped_until_its_day(invented, state, stays):
    found = red(gate(invented("fail"), state, "fail", ["canary"]))
    assert ("hygiene" in found, "canary" in found, "contract" in found) == (stays, False, True)
    assert ("waiver of hygiene" in found) == stays


def test_a_required_check_that_is_missing_altogether_is_red(invented):
    evidence = of_tree(invented().tree | {"verdict": "not_run"})
    assert red(suite_of(evidence)) == {"verdict"}


def test_the_same_evidence_gives_the_same_bytes(invented):
    assert junit.encode(invented("fail")) == junit.encode(invented("fail"))


def test_attacks_stay_words(hostile):
    data = junit.encode(hostile)
    SCHEMA.validate(data.decode())
    assert b"<script" not in data
    root = ElementTree.fromstring(data)
    for element in root.iter():
        assert all(value.isprintable() for value in element.attrib.values())
        assert not (element.text or "").strip()
