"""Steps 5 and 6: the transcript by itself, and whether it lists the files beside it."""

from collections.abc import Iterator, Mapping
from typing import Any

from dpspin import canonical, transcript
from dpspin.errors import IntegrityError, UsageError
from dpspin.pipeline import BUNDLE
from dpspin_audits.verify.finding import REPAIR, Finding, brief, suspicion

NAME = "transcript.jsonl"
FIRST, LAST = BUNDLE[:3], "summary.txt"
Row = dict[str, Any]


def rows_of(data: bytes) -> list[Row]:
    """The lines as far as they are JSON objects; an empty row stands for any other."""
    found: list[Row] = []
    for line in data.split(b"\n")[: data.count(b"\n") + (not data.endswith(b"\n"))]:
        try:
            row = canonical.loads(line, NAME)
        except UsageError:
            row = {}
        found.append(row if isinstance(row, dict) else {})
    return found


def findings(files: Mapping[str, bytes]) -> Iterator[Finding]:
    """What is wrong with the chain, with fields, and with the digests of files."""
    if NAME not in files:
        return
    rows = rows_of(files[NAME])
    yield from _chain(files[NAME])
    for number, row in enumerate(rows, 1):
        for field in sorted(set(row) - transcript.FIELDS):
            yield Finding(NAME, number, suspicion(field), f"field {brief(field)}, which no transcript has")
    if not rows or rows[-1].get("name") != LAST:
        yield Finding(NAME, len(rows), "chain", f"ends before {LAST}", integrity=True)
    for name in (*FIRST, LAST):
        if name in files:
            yield from _listed(name, files[name], rows)


def _chain(data: bytes) -> Iterator[Finding]:
    try:
        transcript.decode(data, NAME)
    except IntegrityError as error:
        number = error.place.rpartition(" ")[2]
        line = int(number) if number.isdecimal() else None
        yield Finding(NAME, line, "chain", f"{error.found} where there should be {error.expected}", REPAIR, True)


def _listed(name: str, data: bytes, rows: list[Row]) -> Iterator[Finding]:
    """Whether the transcript has a file's bytes."""
    lines = [(number, row) for number, row in enumerate(rows, 1) if row.get("name") == name]
    if len(lines) != 1:
        times = "never" if not lines else f"{len(lines)} times"
        yield Finding(name, None, "not on record", f"{NAME} lists it {times}")
    for number, row in lines:
        if (row.get("sha256"), row.get("bytes")) != (canonical.digest(data), len(data)):
            yield Finding(name, None, "digest", f"other bytes than line {number} of {NAME} lists", integrity=True)
