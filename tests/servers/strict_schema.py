"""What OpenAI's strict mode refuses in a schema of answers: https://platform.openai.com/docs/guides/structured-outputs.

A server that refuses a schema is asked without it, so nothing else would notice.
"""

import json
from collections.abc import Iterator
from typing import Any

KNOWN = {"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "pattern"}
"""Words that we use of those that it knows; others are refused, or are refused by some models."""
MOST_VALUES, MOST_LETTERS, MOST_FIELDS, DEEPEST = 1000, 120_000, 5000, 10


def faults(schema: dict[str, Any]) -> list[str]:
    """Everything that is wrong with a schema, in words."""
    found = [] if schema.get("type") == "object" and "anyOf" not in schema else ["the whole is no object"]
    parts = list(_parts(schema, 1))
    found += [fault for part, _ in parts for fault in _faults(part)]
    values = [value for part, _ in parts for value in part.get("enum", ())]
    names = [name for part, _ in parts for name in part.get("properties", ())]
    letters = sum(map(len, names)) + sum(len(str(value)) for value in values)
    limits = {
        "values": len(values) > MOST_VALUES, "letters": letters > MOST_LETTERS, "fields": len(names) > MOST_FIELDS,
        "levels": max(depth for _, depth in parts) > DEEPEST,
    }  # fmt: skip
    return found + [f"too many {name}" for name, over in limits.items() if over]


def _parts(schema: dict[str, Any], depth: int) -> Iterator[tuple[dict[str, Any], int]]:
    yield schema, depth
    for inner in (*schema.get("properties", {}).values(), *schema.get("anyOf", ()), schema.get("items")):
        if inner is not None:
            yield from _parts(inner, depth + 1)


def _faults(part: dict[str, Any]) -> Iterator[str]:
    strange = set(part) - KNOWN
    if strange:
        yield f"{sorted(strange)} is not permitted"
    if "type" not in part and "anyOf" not in part:
        yield "a schema without type"
    if part.get("type") == "object":
        if part.get("additionalProperties") is not False:
            yield "additionalProperties is not false"
        if part.get("required") != list(part.get("properties", {})):
            yield "not every field is required"
    if part.get("enum") == []:
        yield "no value"
    first = [
        json.dumps(next(iter(form["properties"].items()))) for form in part.get("anyOf", ()) if "properties" in form
    ]
    if len(set(first)) < len(first):
        yield "forms begin with the same field and value"
