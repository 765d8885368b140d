"""The published schema is what is spoken on both sides."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from dpspin_audits.protocol import schema
from dpspin_audits.protocol.subject import OFFERS

SCRIPT = str(Path(__file__).with_name("faulty.py"))
RECORD = {"id": "1", "text": "a"}
FIELDS = {
    "hello": {"protocol": "DPSP/1"},
    "configure": {"deployment": {}, "files": {"deployment.yaml": ""}, "exchange": "/tmp"},
    "release": {"records": [RECORD], "seed": "00ff"},
    "contribution": {"record": RECORD},
    "unit_key": {"record": RECORD},
    "sketch": {"records": [RECORD]},
    "decoder_input": {"plan": "{}"},
    "spent": {},
    "vector": {"function": "clip", "input": {"vector": [1], "bound": 1}},
    "sample": {"records": [RECORD], "runs": 2},
    "bye": {},
}


def answers(*requests):
    spoken = b"".join(json.dumps(request).encode() + b"\n" for request in requests)
    done = subprocess.run([sys.executable, SCRIPT], input=spoken, capture_output=True, check=True, timeout=60)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_operation_has_its_shapes():
    assert set(FIELDS) == set(schema.REQUESTS) == set(schema.RESULTS)
    assert set(OFFERS) - {"seed"} < set(schema.REQUESTS)
    jsonschema.Draft202012Validator.check_schema(schema.schema())


def test_requests_and_answers_follow_the_schema():
    requests = [{"id": at, "op": op, **fields} for at, (op, fields) in enumerate(FIELDS.items()) if op != "sample"]
    for request, answer in zip(requests, answers(*requests), strict=True):
        jsonschema.validate(request, schema.request(request["op"]))
        jsonschema.validate(answer, schema.answer(request["op"]))


@pytest.mark.parametrize(
    ("op", "answer"),
    [("sketch", {"id": 1, "result": {"values": [0.5]}}), ("sketch", {"id": 1, "result": {}}),
     ("spent", {"id": 1, "result": {"epsilon": "1"}}), ("hello", {"id": "1", "skipped": {"reason": ""}}),
     ("sample", {"id": 1, "result": {"rows": 1, "width": 2, "masses": "<f4"}})],
)  # fmt: skip
def test_what_breaks_the_protocol_breaks_the_schema(op, answer):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(answer, schema.answer(op))
