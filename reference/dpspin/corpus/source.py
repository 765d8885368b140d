r"""A file of any format as numbered lines of text: what is refused before rows are looked for (docs/corpora.md).

Lines end at \n alone and keep it, so that carriage returns inside a cell stay text.  Nothing is repaired: a file is
read exactly or refused.  Only a byte order mark is left out, and that is reported.
"""

import gzip
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

from dpspin.corpus import jsonl
from dpspin.errors import UsageError

LONGEST = jsonl.LONGEST_LINE
"""Bytes of one line, characters of one cell, characters of a whole JSON array: what is held at once."""
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
NO_LINE_FEED = "the file ends here without a line feed, so it may have been cut short"


class Row(NamedTuple):
    """One row of a file, whatever the format."""

    number: int
    """From 1; a header is not counted."""
    line: int
    """Line at which it begins, from 1."""
    values: Mapping[str, Any]


class Numbers:
    """Ascending numbers of rows or lines, consecutive ones as one range [first, last]."""

    def __init__(self) -> None:
        self.ranges: list[list[int]] = []

    def add(self, number: int) -> None:
        """Note the next one."""
        if self.ranges and self.ranges[-1][1] == number - 1:
            self.ranges[-1][1] = number
        else:
            self.ranges.append([number, number])

    def count(self) -> int:
        """How many there are."""
        return sum(last - first + 1 for first, last in self.ranges)


class Source:
    """The lines of a file; what was seen on the way is counted."""

    def __init__(self, stream: BinaryIO, place: str) -> None:
        """Begin at the first byte.

        Raises:
            UsageError: for a pipe, and for a pointer in place of the data.
        """
        self.place = place
        self._bytes = jsonl.opened(stream, place)
        self.compressed = isinstance(self._bytes, gzip.GzipFile)
        self.byte_order_mark = False
        self.line = 0
        """Lines read so far."""
        self.line_ends = {"crlf": 0, "lf": 0, "none": 0}

    def lines(self) -> Iterator[str]:
        """Every line, its end included.

        Raises:
            UsageError: naming the line, for bytes that are not UTF-8 text, and broken gzip data.
        """
        while line := self._next():
            self.line += 1
            end = "crlf" if line.endswith(b"\r\n") else "lf" if line.endswith(b"\n") else "none"
            self.line_ends[end] += 1
            yield self._text(line)

    def refusal(self, line: int, problem: str, remedy: str, field: str = "") -> UsageError:
        """An error at a line of the file."""
        return UsageError(f"{self.place}: line {line}" + (f", {field}" if field else ""), problem, remedy)

    def _next(self) -> bytes:
        try:
            return self._bytes.readline(LONGEST + 1)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            problem = jsonl.gzip_fault(error)
        raise self.refusal(self.line + 1, problem, "compress the whole file again")

    def _text(self, line: bytes) -> str:
        if self.line == 1:
            self._check_encoding(line)
            self.byte_order_mark = line.startswith(jsonl.BYTE_ORDER_MARK)
            line = line.removeprefix(jsonl.BYTE_ORDER_MARK)
        if len(line) > LONGEST:
            remedy = "shorten the record; write a long JSON array as JSON Lines (`jq -c '.[]'`)"
            raise self.refusal(self.line, f"longer than {LONGEST:,} bytes", remedy)
        if 0 in line:
            raise self.refusal(self.line, "a NUL byte", "save the file as UTF-8 text, without NUL bytes")
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            byte = error.start + 1
        remedy = "convert it (`iconv -f WINDOWS-1252 -t UTF-8`, if that is its encoding)"
        raise self.refusal(self.line, f"not UTF-8, from byte {byte} of the line", remedy)

    def _check_encoding(self, line: bytes) -> None:
        if line.startswith(UTF_16) or 0 in line[:2]:
            raise self.refusal(1, "UTF-16, not UTF-8", "convert the file (`iconv -f UTF-16 -t UTF-8`)")
