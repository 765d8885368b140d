"""Fault by check, as measured: which checks failed on each member in several whole audits, and at what cost.

`tests/audits/zoo/test_record.py` audits every member and leaves one file for each audit in `$DPSPIN_RECORD`;
`python -m dpspin_audits.zoo.matrix FOLDER` puts them together as `matrix.json`, which the page is made of.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dpspin import canonical

SCHEMA = "dpspin-zoo-matrix/1"
PLACE = Path(__file__).with_name("matrix.json")
SPENT = ("releases", "plans", "cpu_ms")
"""What a hit costs: whole releases, sampled plans, and milliseconds of processor time, which vary."""


class Hit(NamedTuple):
    """A check that failed on a member."""

    times: int
    """Audits in which it did."""
    strengths: tuple[str, ...]
    """Of its hits."""
    spent: Mapping[str, int]
    """By SPENT: the most that a check spent which failed."""


class Row(NamedTuple):
    """What the audits of one member found."""

    audits: int
    hits: Mapping[str, Hit]

    @property
    def always(self) -> list[str]:
        """Checks that failed in every audit."""
        return [name for name, hit in self.hits.items() if hit.times == self.audits]

    @property
    def sometimes(self) -> list[str]:
        """Checks that failed in some audits and not in others."""
        return [name for name, hit in self.hits.items() if hit.times < self.audits]


Matrix = Mapping[str, Row]
Found = Mapping[str, Mapping[str, Any]]
"""Of one audit: by failed check its strength and what it spent."""


def read(place: Path = PLACE) -> Matrix:
    """The record."""
    tree = canonical.loads(place.read_bytes(), place.name)
    return {name: _row(row) for name, row in tree["members"].items()}


def _row(tree: Mapping[str, Any]) -> Row:
    hits = {
        name: Hit(hit["times"], tuple(hit["strengths"]), {what: hit[what] for what in SPENT})
        for name, hit in tree["hits"].items()
    }
    return Row(tree["audits"], hits)


def alone(matrix: Matrix, check: str) -> list[str]:
    """Members on which this check failed in every audit, and no other one in any."""
    return [name for name, row in matrix.items() if list(row.hits) == row.always == [check]]


def joined(audits: Iterable[tuple[str, Found]]) -> bytes:
    """The record of some audits: pairs of a member's name and what an audit of it found."""
    by_member: dict[str, list[Found]] = {}
    for name, found in audits:
        by_member.setdefault(name, []).append(found)
    members = {name: {"audits": len(found), "hits": _hits(found)} for name, found in by_member.items()}
    return canonical.dumps({"schema": SCHEMA, "members": members})


def _hits(audits: list[Found]) -> dict[str, dict[str, Any]]:
    """By check, over all audits of one member."""
    hits = {name: [found[name] for found in audits if name in found] for name in {*(n for f in audits for n in f)}}
    return {
        name: {"times": len(seen), "strengths": sorted({hit["strength"] for hit in seen})}
        | {what: max(hit[what] for hit in seen) for what in SPENT}
        for name, seen in hits.items()
    }


def parts(folder: Path) -> Iterator[tuple[str, Found]]:
    """The audits in a folder, one a file NAME.NUMBER.json."""
    for path in sorted(folder.glob("*.json")):
        yield path.name.partition(".")[0], canonical.loads(path.read_bytes(), path.name)


def write(folder: str, place: str | Path = PLACE) -> None:
    """Put the audits in a folder together."""
    Path(place).write_bytes(joined(parts(Path(folder))))


if __name__ == "__main__":
    write(sys.argv[1])
