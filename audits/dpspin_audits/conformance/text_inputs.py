"""Inputs for texts: canonical JSON, transcripts, verdicts and fallback texts."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from dpspin_audits.conformance.draft import Draft


def canonical(_: Random) -> Iterator[Draft]:
    """One canonical form, or a refusal."""
    same = (
        "null", "true", "0", "-0", "12", '"text"', '""', "[]", "{}", '{"b":1,"a":[ 2 , {"z":null} ]}', '"\\u00e9"',
        '"é"', '"\\n\\t\\u0000"', '"/"', '"\\/"', '"\\ud83d\\ude00"', "9007199254740991", "9007199254740992",
        "-9007199254740993", "1.5", "1e3", "0.1", '{"é":1,"z":2,"Z":3}', " [1,\n2]\n",
    )  # fmt: skip
    for text in same:
        yield Draft("one form", {"json": text}, ("Large",) * (len(text) == 16))
    refused = (
        "", "{", "[1,]", "NaN", "Infinity", '{"a":1,"a":2}', "01", "'a'", '"\\ud800"', "1 2", "1e9999", "\ufeff1",
        '{"a":1}}', "[" * 20_000,
    )  # fmt: skip
    for text in refused:
        yield Draft("not strict JSON", {"json": text}, ("Refused",))


OBJECTS: list[dict[str, Any]] = [
    {"name": "universe.json", "role": "public", "text": "{}\n", "charge": None},
    {"name": "plan.json", "role": "dp", "text": '{"a":1}\n', "charge": "0001"},
    {"name": "attempt-1", "role": "post-processing", "text": "Zeile é\n", "charge": "0001"},
    {"name": "summary.txt", "role": "post-processing", "text": "", "charge": None},
]


def transcript(_: Random) -> Iterator[Draft]:
    """Canonical lines, each holding the digest of the line before."""
    for count in range(len(OBJECTS) + 1):
        yield Draft("chained", {"objects": OBJECTS[:count]}, ("Empty",) * (count == 0))


def transcript_rows(chained: str) -> Iterator[Draft]:
    """A chain that holds, and every way of breaking it."""
    lines = chained.splitlines(keepends=True)
    yield Draft("nothing", {"transcript": ""}, ("Empty",))
    yield Draft("whole", {"transcript": chained})
    yield Draft("cut at its end leaves no trace", {"transcript": "".join(lines[:-1])})
    broken = (
        ("lines exchanged", lines[1] + lines[0]),
        ("first line missing", "".join(lines[1:])),
        ("a line twice", lines[0] + lines[0]),
        ("text changed", chained.replace("Zeile", "zeile")),
        ("digest changed", chained.replace('"sha256":"', '"sha256":"0', 1)),
        ("blanks added", chained.replace(":", ": ")),
        ("charge changed", chained.replace('"0001"', '"0002"', 1)),
        ("role changed", chained.replace('"public"', '"dp"', 1)),
        ("no line end", chained.rstrip("\n")),
        ("no JSON", lines[0] + "text\n"),
    )
    for comment, text in broken:
        yield Draft(comment, {"transcript": text}, ("Refused",))


def verdict(examination: list[dict[str, Any]]) -> Iterator[Draft]:
    """Texts of one plan that a verifier must accept or must not."""
    for row in examination:
        if not row["text"].isascii() and "\\ud" in ascii(row["text"]):
            continue  # no JSON file holds a lone surrogate
        yield Draft(row["row"], {"text": row["text"]}, ("Optional",) * row["optional"])


def rows(text: str) -> list[dict[str, Any]]:
    """JSON Lines as objects."""
    return [json.loads(line) for line in text.splitlines()]
