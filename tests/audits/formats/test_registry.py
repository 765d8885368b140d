"""The registry's entry: every field of the public template, valid by its schema, and assessed only where it was."""

import json

import jsonschema
import pytest

from dpspin_audits.formats import registry
from dpspin_audits.report.registry import fields


def entry_of(evidence):
    tree = json.loads(registry.encode(evidence))
    jsonschema.validate(tree, registry.schema())
    return tree


def by_name(tree):
    return {row["path"].rpartition(".")[2]: row for row in tree["fields"]}


def test_the_schema_is_one_and_closed(invented):
    jsonschema.Draft202012Validator.check_schema(registry.schema())
    tree = entry_of(invented()) | {"further": 1}
    with pytest.raises(jsonschema.ValidationError, match="further"):
        jsonschema.validate(tree, registry.schema())


def test_every_field_is_there_in_order(any_kind):
    tree = entry_of(any_kind)
    assert [row["path"] for row in tree["fields"]] == [field.path for field in fields()]
    assert tree["evidence_sha256"] == any_kind.digest
    for row in tree["fields"]:
        assert row["value"] is not None or row["state"] == "not assessed"
        assert (row["result"] is None) == (not row["checks"])


def test_parameters_are_exact(invented):
    assert entry_of(invented("gaussian-user"))["privacy_parameters"].keys() == {"epsilon", "delta"}
    assert entry_of(invented())["privacy_parameters"] == {"epsilon": "1", "delta": "0"}


def test_what_no_audit_can_know_is_left_to_the_deployer(invented):
    found = by_name(entry_of(invented()))
    assert found["intended_use"] | {"value": None, "state": "not assessed"} == found["intended_use"]
    assert found["variant_name"]["value"] == "Pure DP"


def test_a_check_that_did_not_answer_takes_its_field_along(invented):
    evidence = invented()
    before = by_name(entry_of(evidence))["variant_name"]
    tree = evidence.tree
    for row in tree["checks"]:
        if row["id"] in before["checks"]:
            row["status"] = "not_run"
    from dpspin_audits.formats.opened import of_tree

    after = by_name(entry_of(of_tree(tree)))["variant_name"]
    assert (before["state"], after["state"]) == ("assessed", "declared")
    assert set(before["checks"]) == set(after["without_answer"])


def test_attacks_are_printable(hostile):
    assert all((row["value"] or "").isprintable() for row in entry_of(hostile)["fields"])


def test_the_parameters_of_a_charged_universe_are_the_sums(invented):
    tree = entry_of(invented("charged"))
    assert tree["privacy_parameters"] == {"epsilon": "1.5", "delta": "0.0000001"}
    field = by_name(tree)["privacy_parameters"]
    assert field["state"] == "assessed in part"
    assert "the release ε 1, its themes ε 0.5" in field["value"]
    assert entry_of(invented("pass"))["privacy_parameters"] == {"epsilon": "1", "delta": "0"}
