"""The published schemas accept what the tool writes and refuse what it refuses."""

import json

import jsonschema
import pytest
from ruamel.yaml import YAML

from dpspin.corpus import embedded


def test_the_deployment_schema_accepts_the_embedded_deployment_and_refuses_an_unknown_field(dpspin):
    schema = json.loads(dpspin("schema", "deployment").out)
    tree = YAML(typ="safe").load(embedded.files()["deployment.yaml"])
    jsonschema.validate(tree, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tree | {"epsilon": "1"}, schema)


@pytest.mark.parametrize("name", ["claims", "deployment", "evidence", "plan"])
def test_every_schema_is_a_schema(dpspin, name):
    schema = json.loads(dpspin("schema", name).out)
    jsonschema.validators.validator_for(schema).check_schema(schema)


def test_the_plan_schema_accepts_a_released_plan_and_refuses_another_layout(dpspin, tmp_path):
    assert dpspin("release", "--out", tmp_path / "out").code == 0
    schema, tree = json.loads(dpspin("schema", "plan").out), json.loads((tmp_path / "out" / "plan.json").read_bytes())
    jsonschema.validate(tree, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({key: value for key, value in tree.items() if key != "released"}, schema)
