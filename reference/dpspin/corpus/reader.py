"""A corpus of any format as rows: the format is told by the first character that is not blank, and nothing else."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, BinaryIO

from dpspin.corpus.objects import rows_of_array, rows_of_lines
from dpspin.corpus.source import Row, Source
from dpspin.corpus.tabular import Table
from dpspin.errors import UsageError


class Corpus:
    """A file being read once, row by row; what was found is complete at the end."""

    def __init__(self, stream: BinaryIO, place: str) -> None:
        """Open the file and read as far as its format, and its header if it is CSV.

        Raises:
            UsageError: as `Source` and `Table`, and for a file that holds nothing.
        """
        self.place = place
        self.source = Source(stream, place)
        self.read = 0
        """Rows read so far."""
        self.table: Table | None = None
        lines, first = _peeked(self.source.lines())
        if not first:
            raise UsageError(place, "empty: neither a header nor a record", "restore the file")
        if first in "[{":
            self.format = "JSON array" if first == "[" else "JSON Lines"
            self._rows = (rows_of_array if first == "[" else rows_of_lines)(self.source, lines)
        else:
            self.format = "CSV"
            self.table = Table(self.source, lines)
            self._rows = self.table.rows()

    def __iter__(self) -> Iterator[Row]:
        """The rows.

        Raises:
            UsageError: naming the line of whatever cannot be read exactly.
        """
        for row in self._rows:
            self.read = row.number
            yield row

    def found(self) -> dict[str, Any]:
        """Format, encoding and line ends, for a report."""
        return {
            "format": self.format,
            "encoding": "UTF-8 with a byte order mark" if self.source.byte_order_mark else "UTF-8",
            "gzip": self.source.compressed,
            "line_ends": self.source.line_ends,
            "blank_lines": self.table.blank_lines.ranges if self.table else [],
            "rows": self.read,
        }


def _peeked(lines: Iterator[str]) -> tuple[Iterator[str], str]:
    """The lines again, and the first character that is not blank."""
    seen = []
    for line in lines:
        seen.append(line)
        if line.strip():
            break
    return chain(seen, lines), "".join(seen).strip()[:1]
