"""The JSON Schema of DPSP/1: every request, and the result of each operation."""

from typing import Any

from dpspin_audits.protocol.session import PROTOCOL

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": ["integer", "string"]}
INTEGERS: dict[str, Any] = {"type": "array", "items": {"type": ["integer", "string"]}}
RECORD: dict[str, Any] = {"type": "object", "additionalProperties": TEXT}
RECORDS: dict[str, Any] = {"type": "array", "items": RECORD}
COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
BYTES: dict[str, Any] = {"oneOf": [{"required": ["text"]}, {"required": ["base64"]}],
                         "properties": {"text": TEXT, "base64": TEXT}, "additionalProperties": False}  # fmt: skip


def _closed(**fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": sorted(fields), "additionalProperties": False}


CLAIM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "unit": {"enum": ["record", "user"]},
        "adjacency": {"enum": ["add_drop", "replacement"]},
        "mass_bound": NUMBER, "epsilon": NUMBER, "delta": NUMBER,
        "mechanism": {"type": ["string", "null"]},
        "scale": {"type": ["integer", "string", "null"]},
        "exponent": {"type": ["integer", "string", "null"]},
        "values": {"enum": ["laplace", "gaussian", None]},
        "missing_ids": {"enum": ["drop", "own_unit", None]},
        "public_fields": {"type": "array", "items": TEXT},
    },
    "required": ["unit", "adjacency", "mass_bound", "epsilon", "delta"],
}  # fmt: skip
REQUESTS: dict[str, dict[str, dict[str, Any]]] = {
    "hello": {"protocol": {"const": PROTOCOL}},
    "configure": {"deployment": {"type": "object"}, "files": {"type": "object", "additionalProperties": TEXT},
                  "exchange": TEXT},
    "release": {"records": RECORDS},
    "sample": {"records": RECORDS, "runs": COUNT},
    "contribution": {"record": RECORD},
    "unit_key": {"record": RECORD},
    "sketch": {"records": RECORDS},
    "decoder_input": {"plan": TEXT},
    "spent": {},
    "vector": {"function": TEXT, "input": {"type": "object"}},
    "bye": {},
}  # fmt: skip
VALUES = _closed(values=INTEGERS)
RESULTS: dict[str, dict[str, Any]] = {
    "hello": _closed(protocol={"const": PROTOCOL}, name=TEXT, offers={"type": "array", "items": TEXT}),
    "configure": _closed(claim=CLAIM),
    "release": _closed(files={"type": "object", "additionalProperties": BYTES}),
    "sample": {"oneOf": [
        _closed(rows=COUNT, width=COUNT, masses={"enum": ["<f8", "<i8"]}),
        _closed(npy=_closed(atoms=TEXT, masses=TEXT)),
    ]},
    "contribution": VALUES,
    "unit_key": _closed(key={"type": ["string", "null"]}),
    "sketch": VALUES,
    "decoder_input": _closed(data=BYTES),
    "spent": _closed(epsilon=NUMBER, delta=NUMBER),
    "vector": {"type": "object", "required": ["output"]},
    "bye": {"type": "object"},
}  # fmt: skip


def request(op: str) -> dict[str, Any]:
    """The schema of one request."""
    shape = _closed(id=COUNT, op={"const": op}, **REQUESTS[op])
    if op == "release":
        shape["properties"]["seed"] = {"type": "string", "pattern": "^([0-9a-f]{2})+$"}
    return shape


def answer(op: str) -> dict[str, Any]:
    """The schema of its answer."""
    return {"oneOf": [
        _closed(id=COUNT, result=RESULTS[op]),
        _closed(id=COUNT, skipped=_closed(reason=TEXT)),
        _closed(id=COUNT, errored=_closed(traceback=TEXT)),
    ]}  # fmt: skip


def schema() -> dict[str, Any]:
    """All of them, as definitions `request.OP` and `answer.OP`."""
    shapes = {f"{kind}.{op}": make(op) for op in REQUESTS for kind, make in (("request", request), ("answer", answer))}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": PROTOCOL,
        "$defs": shapes,
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in shapes],
    }
