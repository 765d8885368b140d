"""A bundle taken apart: every value in every file, by a path, so that two bundles can be compared value by value."""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from dpspin import canonical
from dpspin.errors import UsageError
from dpspin_audits.lines import line_holding, line_of_key

WORD = re.compile(r"[^\s,;:()\"'{}\[\]]+")
WORD_BYTES = re.compile(WORD.pattern.encode())
ROW = re.compile(r"\[([0-9]+)\]\.")
"""How the path of a value begins that stands on a line of its own file of lines."""
KEY = re.compile(r"([^.\[\]]+)(?:\[[0-9]+\])*(?:\.length)?$")
"""The last name of a path."""

Leaves = dict[str, str]


def leaves(bundle: Mapping[str, bytes]) -> Leaves:
    """Path -> value: file sizes, scalars of JSON files, numbers of lines, and words of all other files (as present)."""
    found: Leaves = {}
    for name, data in bundle.items():
        found[f"{name}: bytes"] = str(len(data))
        for path, value in _of_file(name, data):
            found[f"{name}: {path}"] = value
    return found


def _of_file(name: str, data: bytes) -> Iterator[tuple[str, str]]:
    if name.endswith((".json", ".jsonl")):
        rows = data.splitlines() if name.endswith(".jsonl") else [data]
        try:
            trees = [canonical.loads(line, name) for line in rows]
        except UsageError:
            pass
        else:
            lines = [("lines.length", str(len(trees)))] if name.endswith(".jsonl") else []
            return chain(lines, *(_of_tree(f"[{n}]" * (len(trees) > 1), tree) for n, tree in enumerate(trees)))
    return ((f"word {word}", "there") for word in set(WORD.findall(data.decode(errors="replace"))))


def _of_tree(path: str, tree: Any) -> Iterator[tuple[str, str]]:
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from _of_tree(f"{path}.{key}".removeprefix("."), value)
    elif isinstance(tree, list):
        yield f"{path}.length", str(len(tree))
        for at, value in enumerate(tree):
            yield from _of_tree(f"{path}[{at}]", value)
    else:
        yield path, str(tree)


def line_of(path: str, bundle: Mapping[str, bytes]) -> int | None:
    """The line of a file on which the value of a path of `leaves` stands; None where it stands on no single one."""
    name, _, inner = path.partition(": ")
    data = bundle.get(name, b"")
    if inner.startswith("word "):
        word = inner.removeprefix("word ").encode()
        return line_holding(data, lambda line: word in WORD_BYTES.findall(line))
    row = ROW.match(inner)
    if row and name.endswith(".jsonl"):
        return int(row[1]) + 1
    key = KEY.search(inner)
    return line_of_key(data, key[1]) if key else None
