"""One defect of a bundle, and what kind of thing a name that should not be there speaks of."""

import re
from collections.abc import Iterator
from typing import NamedTuple

REPAIR = "restore the bundle as it was released"
REMOVE = "keep it out of the release folder; curator files go elsewhere"
SUSPECTS = (
    ("seed", r"seed|entropy|rng|random"),
    ("digest of data", r"sha_?\d|(?<![a-z])sha(?![a-z])|digest|hash|checksum"),
    ("curator's metrics", r"metric|sketch|exact|true_|error|overlap|retained|utility"),
    ("score of records", r"scores?(?![a-z])"),
    ("time stamp", r"timi?n?[eg]|date|(?<![a-z])at(?![a-z])|duration|seconds|elapsed"),
    ("record count", r"count|(?<![a-z])n(?![a-z])|records?|users?|rows|size|total"),
    ("machine path", r"path|file|dir|folder|host"),
)
"""What a name speaks of, the first that fits."""
PATH = re.compile(r"(?<![\w.~/-])/(?:[\w.-]+/)+[\w.-]*|~/[\w.-]+|\b[A-Za-z]:\\[\w\\]+|\\\\\w+\\")
UNITS = "records|users|rows|units"
TRACES = (
    ("machine path", PATH),
    ("time stamp", re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\b\d{1,2}:\d\d:\d\d\b|\b1[5-9]\d{8}(?:\.\d+|\d{3})?\b")),
    ("digest of data", re.compile(r"\b[0-9a-f]{64}\b")),
    ("seed", re.compile(r"\bseed\s*[:=]?\s*(?:0x)?[0-9a-f]*\d", re.IGNORECASE)),
    ("record count", re.compile(rf"\b(?:n|n_\w+|{UNITS})\s*[:=]\s*\d+|\b\d[\d,]*\s+(?:{UNITS})\b", re.IGNORECASE)),
)  # fmt: skip
"""What a text gives away where nobody reads it: in comments and free notes."""


class Finding(NamedTuple):
    """One defect."""

    file: str
    line: int | None
    """Line of the file, from 1; None for the file as a whole."""
    rule: str
    """What was broken."""
    found: str
    """What stands there, printable and short; everything in a bundle is public."""
    remedy: str = REPAIR
    integrity: bool = False
    """Whether bytes are not those that a digest or the chain names."""


def brief(value: object) -> str:
    """A value of a bundle in a message."""
    text = ascii(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def suspicion(name: str) -> str:
    """What a field or file that should not be there seems to hold."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return next((kind for kind, pattern in SUSPECTS if re.search(pattern, words)), "unknown")


def traces(text: str) -> Iterator[tuple[str, str]]:
    """What one line gives away: kind and words."""
    for kind, pattern in TRACES:
        for match in pattern.finditer(text):
            yield kind, match.group()


def line_at(data: bytes, position: int) -> int:
    """The line of a position, from 1."""
    return data.count(b"\n", 0, position) + 1


def first_difference(found: bytes, expected: bytes) -> int:
    """The first position at which two files differ."""
    shorter = min(len(found), len(expected))
    low, high = 0, shorter
    while low < high:  # the length of the common beginning, by halves
        middle = (low + high + 1) // 2
        low, high = (middle, high) if found[:middle] == expected[:middle] else (low, middle - 1)
    return low
