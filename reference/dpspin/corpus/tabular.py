"""Rows of a CSV file (RFC 4180): the csv module at its strictest, and what it would hide.

Every cell is a string, exactly as written.  Nothing is guessed: a row that has not as many cells as the header is
refused, because a text may have been cut at an unquoted comma.
"""

import csv
import re
from collections.abc import Iterator
from itertools import count

from dpspin.corpus.source import LONGEST, NO_LINE_FEED, Numbers, Row, Source

LONGEST_NAME = 100
LIKE_A_VALUE = re.compile(r"\W*\d[\d\W]*|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*", re.DOTALL)
"""A number or a date: no name of a column."""
FAULTS = {
    "unexpected end of data": (
        "a quote opens in this row and never closes",
        "close it, or restore the file: it may have been cut short",
    ),
    "new-line character": (
        "a carriage return outside quotes, as where lines end by it alone",
        r"end lines by line feeds (`tr '\r' '\n'`)",
    ),
    "expected after": ("text follows a closing quote", "write a quote inside a quoted cell twice"),
    "larger than": (
        f"a cell of more than {LONGEST:,} characters",
        "shorten it, or close a quote that this row leaves open",
    ),
}
"""What the csv module says, in the words of this project."""


class Table:
    """A CSV file being read: names of its columns, then its rows, one at a time."""

    def __init__(self, source: Source, lines: Iterator[str]) -> None:
        """Read the header.

        Raises:
            UsageError: unless it names every column, each by a name of its own.
        """
        self._source = source
        self.blank_lines = Numbers()
        csv.field_size_limit(LONGEST)  # the module has one limit for all its readers; this project has one too
        self._reader = csv.reader(lines, strict=True)
        self.fields = tuple(self._next() or ())
        for problem, remedy in _header_faults(self.fields):
            raise source.refusal(1, problem, remedy)

    def rows(self) -> Iterator[Row]:
        """The rows; blank lines are left out and kept in `blank_lines`.

        Raises:
            UsageError: naming the line at which a row begins that is not CSV or has another number of cells.
        """
        numbers = count(1)
        line = self._reader.line_num + 1
        while (cells := self._next()) is not None:
            if cells:
                yield Row(next(numbers), line, self._named(cells, line))
            else:
                self.blank_lines.add(line)
            line = self._reader.line_num + 1
        if self._source.line_ends["none"]:
            remedy = "restore the file, or end its last row by a line feed if it is whole"
            raise self._source.refusal(self._source.line, NO_LINE_FEED, remedy)

    def _next(self) -> list[str] | None:
        line = self._reader.line_num + 1
        try:
            return next(self._reader, None)
        except csv.Error as error:
            problem, remedy = next(words for said, words in FAULTS.items() if said in str(error))
        raise self._source.refusal(line, problem, remedy)

    def _named(self, cells: list[str], line: int) -> dict[str, str]:
        if len(cells) != len(self.fields):
            problem = f"{len(cells)} cells where the header names {len(self.fields)} columns"
            remedy = "restore the row, or quote cells that hold commas: a text may have been cut at one"
            raise self._source.refusal(line, problem, remedy)
        return dict(zip(self.fields, cells, strict=True))


def _header_faults(names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Problems and remedies.  Columns are numbered: where the header is missing, the names are values of a record."""
    if not names:
        yield "blank where a header is expected", "name the columns in the first line"
    if len(names) == 1 and re.search("[;\t|]", names[0]):
        yield "a header without commas", "save the file with commas between cells"
    for number, name in enumerate(names, 1):
        if LIKE_A_VALUE.fullmatch(name) or len(name) > LONGEST_NAME:
            yield f"column {number} reads like a value, not a name", "put a header before the first row"
        if name != name.strip() or not name:
            yield f"the name of column {number} is empty or has blanks at an end", "name the column without them"
        if not name.isprintable():
            yield f"the name of column {number} holds a hidden character", "name the column without it"
        if name in names[: number - 1]:
            yield f"columns {names.index(name) + 1} and {number} have one name", "give each its own"
