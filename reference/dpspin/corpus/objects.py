"""Rows of a JSON array of objects and of JSON Lines, with every number as it is written."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from dpspin.corpus import jsonl
from dpspin.corpus.source import LONGEST, NO_LINE_FEED, Row, Source
from dpspin.errors import UsageError

BLANKS = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Number:
    """A JSON number that is not read: its digits as they stand in the file."""

    digits: str


DECODER = jsonl.decoder(Number)


def rows_of_lines(source: Source, lines: Iterator[str]) -> Iterator[Row]:
    """Every line is one object.

    Raises:
        UsageError: naming the line that is none.
    """
    for number, line in enumerate(lines, 1):
        try:
            tree = DECODER.decode(line)
            jsonl.check(tree, line)
        except (ValueError, RecursionError) as error:
            problem, remedy = jsonl.fault(error, line.encode())
        else:
            yield Row(number, number, _object(tree, number, source))
            continue
        raise source.refusal(number, problem, remedy)


def rows_of_array(source: Source, lines: Iterator[str]) -> Iterator[Row]:
    """Every element of the one array is an object.  The text is read whole, its elements one at a time.

    Raises:
        UsageError: naming the line at which an element begins that is none, or text outside of elements.
    """
    array = _Array(source, lines)
    array.expect("[")
    if not array.accept("]"):
        for number in count(1):
            yield array.row(number)
            if array.accept("]"):
                break
            array.expect(",")
    array.expect_end()


class _Array:
    """The text of a JSON array and how far it has been read."""

    def __init__(self, source: Source, lines: Iterator[str]) -> None:
        self._source = source
        self._text = self._whole(lines)
        self._at = 0
        self._line = 1
        self._pass_blanks(0)

    def accept(self, mark: str) -> bool:
        """Pass a mark if it stands here."""
        found = self._text.startswith(mark, self._at)
        if found:
            self._pass_blanks(self._at + len(mark))
        return found

    def expect(self, mark: str) -> None:
        """Pass a mark that must stand here."""
        if not self.accept(mark):
            raise self._refusal(self._at)

    def expect_end(self) -> None:
        """Refuse anything after the array."""
        if self._at < len(self._text):
            remedy = "write one array, or JSON Lines without any"
            raise self._source.refusal(self._line, "more text after the array", remedy)

    def row(self, number: int) -> Row:
        """Read one element."""
        start, line = self._at, self._line
        try:
            tree, end = DECODER.raw_decode(self._text, start)
            jsonl.check(tree, self._text[start:end])
        except json.JSONDecodeError as error:
            raise self._refusal(error.pos) from None
        except (ValueError, RecursionError) as error:
            problem, remedy = jsonl.fault(error, b"")
        else:
            self._pass_blanks(end)
            return Row(number, line, _object(tree, line, self._source))
        raise self._source.refusal(line, problem, remedy)

    def _whole(self, lines: Iterator[str]) -> str:
        parts, length = [], 0
        for line in lines:
            parts.append(line)
            length += len(line)
            if length > LONGEST:
                problem = f"a JSON array of more than {LONGEST:,} characters, which would be read whole"
                raise UsageError(self._source.place, problem, "write it as JSON Lines (`jq -c '.[]'`)")
        return "".join(parts)

    def _pass_blanks(self, start: int) -> None:
        found = BLANKS.match(self._text, start)
        end = found.end() if found else start
        self._line += self._text.count("\n", self._at, end)
        self._at = end

    def _refusal(self, position: int) -> UsageError:
        line = self._line + self._text.count("\n", self._at, position)
        if not self._text[position:].strip():
            return self._source.refusal(line, NO_LINE_FEED.replace("line feed", "closing bracket"), "restore the file")
        return self._source.refusal(line, "not JSON", "write an array of objects, or one object on every line")


def _object(tree: object, line: int, source: Source) -> dict[str, Any]:
    if type(tree) is not dict:
        raise source.refusal(line, "not an object", "write every record as an object, with an id and a text")
    return tree


def encoded(value: object) -> str:
    """JSON of a value read here: keys sorted, no blanks, numbers as they were written."""
    match value:
        case Number(digits):
            return digits
        case dict():
            return "{" + ",".join(f"{encoded(name)}:{encoded(value[name])}" for name in sorted(value)) + "}"
        case list():
            return "[" + ",".join(map(encoded, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
