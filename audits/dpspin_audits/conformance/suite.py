"""The vectors as they are shipped: one file for each step, groups of cases with flags and notes.

    {"schema": "dpspin-vectors/1", "function": name, "notes": {flag: text},
     "groups": [{"comment": text, "shared": {...},
                 "cases": [{"id": n, "comment": text, "flags": [...], "input": {...},
                            "result": valid | invalid | acceptable, "output": ...}]}]}

`shared` belongs to the input of every case of its group.  `valid`: the output is the one given.  `invalid`: the input
is refused.  `acceptable`: either.  The layout follows that of Project Wycheproof.
"""

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from dpspin import canonical
from dpspin.errors import UsageError

SCHEMA = "dpspin-vectors/1"
FOLDER = "vectors"
Result = Literal["valid", "invalid", "acceptable"]


class Case(NamedTuple):
    """One vector."""

    function: str
    id: int
    comment: str
    flags: tuple[str, ...]
    input: dict[str, Any]
    result: Result
    output: Any

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"{self.function}/{self.id}"


def cases(pattern: str = "") -> list[Case]:
    """The shipped vectors whose name or flags match a regular expression, in a fixed order.

    Raises:
        UsageError: when the pattern is not a regular expression, or nothing matches.
    """
    try:
        wanted = re.compile(pattern)
    except re.error as error:
        raise UsageError(
            f"--pattern {pattern}", f"not a regular expression ({error})", "write such as ^clip/"
        ) from None
    found = [case for case in _all() if wanted.search(case.name) or any(map(wanted.search, case.flags))]
    if not found:
        raise UsageError(f"--pattern {pattern}", "matches no vector", "list them with `dpspin conform --dump`")
    return found


def _all() -> Iterator[Case]:
    folder = files("dpspin_audits").joinpath(FOLDER)
    for place in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if place.name.endswith(".json"):
            yield from read(place.read_bytes(), place.name)


def read(data: bytes, place: str) -> Iterator[Case]:
    """The cases of one file."""
    tree = canonical.loads(data, place)
    for group in tree["groups"]:
        for case in group["cases"]:
            yield Case(
                tree["function"], case["id"], case["comment"], tuple(case["flags"]), group["shared"] | case["input"],
                case["result"], case.get("output"),
            )  # fmt: skip
