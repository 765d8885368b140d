r"""Any readable file to the canonical corpus: JSON Lines in UTF-8, keys sorted, lines ended by \n.

Values are written exactly as they were read, or the file is refused at its place.  A row is left out only where that
was asked for, and then its number and the reason stand in the report.  File and report are for the curator alone.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpspin.corpus.objects import Number, encoded
from dpspin.corpus.reader import Corpus
from dpspin.corpus.source import LONGEST, Numbers, Row
from dpspin.errors import UsageError

SCHEMA = "dpspin-conversion/1"
AUDIENCE = "curator only: counts and row numbers of protected records"
DISPLAY_NAME = re.compile(r"[^\W\d_]+\.?([ '’-]+[^\W\d_]+\.?)+")
"""Words of letters alone, such as a person's name, which other persons may share; most ids hold digits."""
MISSING = object()
KINDS: Mapping[type, str] = {bool: "true or false", dict: "an object", list: "a list"}


@dataclass(frozen=True, slots=True)
class Conversion:
    """What is to be written, by the names that fields have in the file."""

    id_field: str
    text_field: str
    user_field: str | None = None
    kept: tuple[str, ...] = ()
    """Further fields, for example those of labels."""
    renamed: tuple[tuple[str, str], ...] = ()
    """Old name and new name."""
    drop_empty_text: bool = False
    """Leave out rows whose text is missing, null, empty or blank."""
    ids_as_written: bool = False
    """Take numbers as ids, by their digits."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields that hold ids."""
        return (self.id_field,) if self.user_field is None else (self.id_field, self.user_field)

    def names(self) -> dict[str, str]:
        """Names in the file -> names written.

        Raises:
            UsageError: when a field is asked for twice, or two would be written under one name.
        """
        asked = (*self.keys, self.text_field, *self.kept)
        new = dict(self.renamed)
        for names in (asked, [old for old, _ in self.renamed]):
            if twice := _repeated(names):
                raise UsageError(f"field {twice!r}", "asked for twice", "name every field once")
        if unknown := sorted(set(new) - set(asked)):
            raise UsageError(f"field {unknown[0]!r}", "to be renamed, but not to be written", "keep it as well")
        written = {name: new.get(name, name) for name in asked}
        if twice := _repeated(list(written.values())):
            raise UsageError(f"field {twice!r}", "two fields would have this name", "rename one of them")
        return written


class Converter:
    """One conversion under way: lines to write, then the report about them."""

    def __init__(self, corpus: Corpus, asked: Conversion) -> None:
        """Prepare.

        Raises:
            UsageError: when fields clash, or the header of a CSV file lacks one.
        """
        self._corpus, self._asked = corpus, asked
        self._names = asked.names()
        self._seen: set[str] = set(corpus.table.fields if corpus.table else ())
        self._key_types: dict[str, type] = {}
        self._dropped: defaultdict[str, Numbers] = defaultdict(Numbers)
        self._noticed: defaultdict[str, Numbers] = defaultdict(Numbers)
        self._written = 0
        if corpus.table:
            self._check_fields()

    def lines(self) -> Iterator[bytes]:
        """Every line of the canonical file.

        Raises:
            UsageError: as the corpus does; for an id, a user or a text that is not a string, naming line and field; and
                at the end, when no row had a field that was asked for.
        """
        for row in self._corpus:
            self._seen.update(row.values)
            values = self._checked(row)
            if values is not None:
                line = (encoded(values) + "\n").encode()
                if len(line) > LONGEST:
                    problem = f"{len(line):,} bytes as JSON, of which a line holds {LONGEST:,}"
                    raise self._corpus.source.refusal(row.line, problem, "keep fewer fields or shorten the record")
                self._written += 1
                yield line
        if self._corpus.read:
            self._check_fields()

    def report(self) -> dict[str, Any]:
        """What was found, written, noticed and left out, and why; complete after the last line."""
        return {
            "schema": SCHEMA,
            "audience": AUDIENCE,
            "source": self._corpus.found(),
            "fields": self._names,
            "fields_left_out": sorted(self._seen - set(self._names)),
            "written": self._written,
            "dropped": _entries(self._dropped, "reason"),
            "noticed": _entries(self._noticed, "what"),
        }

    def _checked(self, row: Row) -> dict[str, Any] | None:
        """The values to write, or None for a row that is left out."""
        values = {name: row.values[name] for name in self._names if name in row.values}
        for name in self._asked.keys:
            values.update(self._key(row, name))
        state = self._text_state(row)
        if state and self._asked.drop_empty_text:
            self._dropped[f"{self._asked.text_field} is {state}"].add(row.number)
            return None
        if state:
            self._noticed[f"{self._asked.text_field} is {state}"].add(row.number)
        return {self._names[name]: value for name, value in values.items()}

    def _key(self, row: Row, name: str) -> dict[str, str]:
        """An id or user that was a number, as text; nothing else changes."""
        value = row.values.get(name, MISSING)
        if empty := _empty(value):
            self._noticed[f"{name} is {empty}"].add(row.number)
            return {}
        kind = type(value)
        if kind is not str and not (kind is Number and self._asked.ids_as_written):
            remedy = "write ids as strings" + (", or pass --ids-as-written to keep their digits" * (kind is Number))
            raise self._refusal(row, name, value, remedy)
        if self._key_types.setdefault(name, kind) is not kind:
            remedy = 'write all of them as strings: 7 and "7" may be two ids or one'
            raise self._corpus.source.refusal(row.line, "a string here and a number elsewhere", remedy, name)
        if isinstance(value, Number):
            return {name: value.digits}
        if DISPLAY_NAME.fullmatch(value):
            self._noticed[f"{name} reads like a display name"].add(row.number)
        return {}

    def _text_state(self, row: Row) -> str | None:
        value = row.values.get(self._asked.text_field, MISSING)
        state = _empty(value)
        if state is None and not isinstance(value, str):
            raise self._refusal(row, self._asked.text_field, value, "write every text as a string")
        return "blank" if isinstance(value, str) and value and not value.strip() else state

    def _refusal(self, row: Row, name: str, value: object, remedy: str) -> UsageError:
        problem = f"{KINDS.get(type(value), 'a number')}, not a string"
        return self._corpus.source.refusal(row.line, problem, remedy, name)

    def _check_fields(self) -> None:
        for name in self._names:
            if name not in self._seen:
                near = [other for other in sorted(self._seen) if bare(other) == bare(name)]
                remedy = f"write {near[0]!r}" if near else "see its fields with `dpspin corpus inspect`"
                raise UsageError(self._corpus.place, f"no field {name!r}", remedy)


def bare(name: str) -> str:
    """Letters and digits of a field's name, case folded: "Complaint ID" and complaint_id are alike."""
    return "".join(c for c in name.casefold() if c.isalnum())


def _empty(value: object) -> str | None:
    return "missing" if value is MISSING else "null" if value is None else "empty" if value == "" else None


def _entries(headings: Mapping[str, Numbers], key: str) -> list[dict[str, Any]]:
    return [
        {key: heading, "count": numbers.count(), "rows": numbers.ranges}
        for heading, numbers in sorted(headings.items())
    ]


def _repeated(names: Sequence[str]) -> str | None:
    return next((name for place, name in enumerate(names) if name in names[:place]), None)
