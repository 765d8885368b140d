"""The published schemas accept what the tool writes and refuse what it refuses."""

import json
from importlib.resources import files

import jsonschema
import pytest
from ruamel.yaml import YAML

from dpspin.corpus import embedded
from dpspin_audits.cli import schema


def test_the_deployment_schema_accepts_the_embedded_deployment_and_refuses_an_unknown_field(dpspin):
    schema = json.loads(dpspin("schema", "deployment").out)
    tree = YAML(typ="safe").load(embedded.files()["deployment.yaml"])
    jsonschema.validate(tree, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tree | {"epsilon": "1"}, schema)


@pytest.mark.parametrize("name", ["claims", "deployment", "evidence", "plan", "registry", "sweep"])
def test_every_schema_is_a_schema(dpspin, name):
    schema = json.loads(dpspin("schema", name).out)
    jsonschema.validators.validator_for(schema).check_schema(schema)


def test_the_plan_schema_accepts_a_released_plan_and_refuses_another_layout(dpspin, tmp_path):
    assert dpspin("release", "--out", tmp_path / "out").code == 0
    schema, tree = json.loads(dpspin("schema", "plan").out), json.loads((tmp_path / "out" / "plan.json").read_bytes())
    jsonschema.validate(tree, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({key: value for key, value in tree.items() if key != "released"}, schema)


def test_the_sweep_schema_accepts_every_shipped_sweep_and_refuses_a_fixed_sample_size(dpspin):
    form = json.loads(dpspin("schema", "sweep").out)
    for name in ("embedded", "cfpb", "amazon", "yelp"):
        tree = YAML(typ="safe").load((files("dpspin_experiments") / "sweeps" / f"{name}.yaml").read_bytes())
        jsonschema.validate(tree, form)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(tree | {"strict_sample_size": True}, form)


def test_without_the_experiments_there_is_no_sweep(monkeypatch):
    assert "sweep" in schema.names()
    monkeypatch.setattr(schema, "added", dict)
    assert "sweep" not in schema.names()
    assert "plan" in schema.names()


def objects(node):
    """Every schema of an object, wherever it stands."""
    if isinstance(node, dict):
        if "properties" in node:
            yield node
        for item in node.values():
            yield from objects(item)
    elif isinstance(node, list):
        for item in node:
            yield from objects(item)


@pytest.mark.parametrize("name", ["evidence", "registry"])
def test_what_this_program_writes_is_closed(dpspin, name):
    for found in objects(json.loads(dpspin("schema", name).out)):
        free = found["additionalProperties"]
        assert free is False or free == {"$ref": "#/$defs/free"}, found
        assert set(found.get("required", found["properties"])) <= found["properties"].keys()


def test_every_id_of_a_check_is_explained_and_of_the_published_form(dpspin):
    form = json.loads(dpspin("schema", "evidence").out)["$defs"]["id"]
    for id_ in json.loads(dpspin("report", "explain", "--json").out):
        jsonschema.validate(id_, form)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate("<b>", form)
