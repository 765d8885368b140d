"""What a file holds, for the curator: counts per field, and what would make ids or texts mean less than they seem to.

Every figure is an exact count of protected records.  Nothing is repaired; what can be read exactly is not refused.
"""

from collections.abc import Collection, Mapping
from hashlib import blake2b
from itertools import chain, islice
from typing import Any, Protocol

from dpspin.corpus.convert import AUDIENCE, DISPLAY_NAME, MISSING, bare
from dpspin.corpus.objects import Number
from dpspin.corpus.reader import Corpus
from dpspin.errors import UsageError

SCHEMA = "dpspin-inspection/1"
REPLACEMENT = "\ufffd"
USUAL_NAMES = {
    "id": ("id", "complaintid"),
    "user": ("user", "userid"),
    "text": ("text", "consumercomplaintnarrative"),
}
"""Where no field is named for a role: names that are looked for, by letters and digits alone."""


def inspect(corpus: Corpus, named: Mapping[str, str]) -> dict[str, Any]:
    """Read the whole file and count.  Memory grows with the number of different ids and texts.

    Args:
        corpus: the file.
        named: role (id, user or text) -> field; usual names in header or first row stand in for roles without one.

    Raises:
        UsageError: as the corpus does, and for a named field that no row has.
    """
    rows = iter(corpus)
    first = list(islice(rows, 1))
    known: Collection[str] = corpus.table.fields if corpus.table else first[0].values if first else ()
    roles = _usual(known) | dict(named)
    tallies: dict[str, _Tally] = {role: _Texts() if role == "text" else _Keys() for role in roles}
    fields = {name: _Field() for name in known}
    for row in chain(first, rows):
        for name, value in row.values.items():
            fields.setdefault(name, _Field()).count(value)
        for role, name in roles.items():
            tallies[role].count(row.values.get(name, MISSING))
    if absent := [name for name in roles.values() if name not in fields]:
        raise UsageError(corpus.place, f"no field {absent[0]!r}", "name a field of the file")
    return {
        "schema": SCHEMA,
        "audience": AUDIENCE,
        "source": corpus.found(),
        "fields": [{"name": name, **fields[name].report(corpus.read)} for name in sorted(fields)],
        "roles": {role: {"field": name, **tallies[role].report()} for role, name in roles.items()},
    }


def _usual(fields: Collection[str]) -> dict[str, str]:
    found = {role: [name for name in fields if bare(name) in usual] for role, usual in USUAL_NAMES.items()}
    return {role: names[0] for role, names in found.items() if names}


class _Field:
    """Counts of one field."""

    def __init__(self) -> None:
        self._present = self._null = self._empty = self._other = 0

    def count(self, value: object) -> None:
        self._present += 1
        self._null += value is None
        self._empty += value == ""
        self._other += not (value is None or isinstance(value, str))

    def report(self, rows: int) -> dict[str, int]:
        absent = rows - self._present
        return {"missing": absent, "null": self._null, "empty": self._empty, "not_a_string": self._other}


class _Tally(Protocol):
    """What is counted of the field in one role."""

    def count(self, value: object) -> None: ...

    def report(self) -> dict[str, int]: ...


class _Keys:
    """Ids, of records or of users."""

    def __init__(self) -> None:
        self._rows = self._none = self._names = 0
        self._strings: set[str] = set()
        self._numbers: set[str] = set()

    def count(self, value: object) -> None:
        if value is MISSING or value is None or value == "":
            self._none += 1
        elif isinstance(value, str):
            self._rows += 1
            self._names += bool(DISPLAY_NAME.fullmatch(value))
            self._strings.add(value)
        elif isinstance(value, Number):
            self._rows += 1
            self._numbers.add(value.digits)

    def report(self) -> dict[str, int]:
        """Counts of rows, of ids that another one equals but for blanks and case, and of ids of both types."""
        different = self._strings | {f"number {digits}" for digits in self._numbers}
        alike = {"".join(text.casefold().split()) for text in self._strings}
        return {
            "rows_without": self._none,
            "rows_with_an_id_seen_before": self._rows - len(different),
            "ids_that_differ_by_blanks_or_case": len(self._strings) - len(alike),
            "ids_both_string_and_number": len(self._strings & self._numbers),
            "rows_like_a_display_name": self._names,
        }


class _Texts:
    """Texts; only digests of them are kept."""

    def __init__(self) -> None:
        self._texts = self._blank = self._replaced = self._longest = 0
        self._digests: set[bytes] = set()

    def count(self, value: object) -> None:
        if isinstance(value, str) and value.strip():
            self._texts += 1
            self._replaced += REPLACEMENT in value
            self._longest = max(self._longest, len(value))
            self._digests.add(blake2b(value.encode(), digest_size=16).digest())
        else:
            self._blank += 1

    def report(self) -> dict[str, int]:
        return {
            "rows_without": self._blank,
            "rows_with_a_text_seen_before": self._texts - len(self._digests),
            "rows_with_replacement_characters": self._replaced,
            "longest_in_characters": self._longest,
        }
