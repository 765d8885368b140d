r"""Protected corpora as JSON Lines: UTF-8, one JSON object a line, lines ended by \n alone; gzip by its first bytes.

Framing is checked over the whole file before anything is charged (`validate`); afterwards nothing that a record holds
can stop a release (`records`): a field that is missing or not a string is None, and downstream such a record
contributes nothing.  One record's bytes cannot change how another record is framed, typed or grouped (spec.md
section 1): no type is inferred, and ids are strings, compared exactly as given.
"""

import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple, NoReturn

from dpspin.deployment import Deployment
from dpspin.errors import UsageError

LONGEST_LINE = 2**26
"""Bytes, line feed included (64 MiB): what a reader must be able to hold."""
DEEPEST = 100
"""Levels of nesting; a fixed number, because an interpreter's own limit depends on who calls."""
GZIP = b"\x1f\x8b"
LFS_POINTER = b"version https://git-lfs.github.com/spec/"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

ONE_OBJECT = "write one JSON object on every line"
TOO_DEEP = (f"nested deeper than {DEEPEST} levels", "flatten the record")


class Fields(NamedTuple):
    """Names of the fields that a record is read from."""

    id: str
    text: str
    user: str | None = None


class Record(NamedTuple):
    """One record; whatever is missing or not a string is None."""

    id: str | None
    text: str | None
    user: str | None
    labels: Mapping[str, str]
    """The other string fields, from which a dictionary may be built."""


def fields_of(deployment: Deployment) -> Fields:
    """The fields that a deployment declares."""
    user = None if deployment.user is None else deployment.user.id_field
    return Fields(deployment.corpus.id_field, deployment.corpus.text_field, user)


def validate(stream: BinaryIO, place: str) -> None:
    """Read the whole file and refuse it unless every line is a JSON object; nothing else is asked of a record.

    Args:
        stream: the file, open for reading bytes and seekable; pass the same stream to `records` afterwards, so that
            what was checked is what is read.
        place: name of the file, for messages.

    Raises:
        UsageError: naming file, line, fault and remedy, never the bytes.
    """
    for _ in _objects(stream, place):
        pass


def records(stream: BinaryIO, place: str, fields: Fields) -> Iterator[Record]:
    """The records of a file that `validate` has passed, in its order and one at a time.

    Raises:
        UsageError: as `validate` does, which cannot happen if the stream still holds the same bytes.
    """
    return (record_of(tree, fields) for tree in _objects(stream, place))


@dataclass(frozen=True, slots=True)
class Lines:
    """The records of an open file, as often as they are asked for."""

    stream: BinaryIO
    place: str
    fields: Fields

    def __iter__(self) -> Iterator[Record]:
        return records(self.stream, self.place, self.fields)

    def count(self) -> int:
        """How many there are: one a line, so that none is parsed."""
        return sum(1 for _ in _lines(opened(self.stream, self.place)))


def record_of(tree: Mapping[str, Any], fields: Fields) -> Record:
    """One JSON object as a record; whatever it holds, this succeeds."""
    text = {name: value for name, value in tree.items() if type(value) is str}
    user = None if fields.user is None else text.get(fields.user)
    return Record(text.pop(fields.id, None), text.pop(fields.text, None), user, text)


def _objects(stream: BinaryIO, place: str) -> Iterator[dict[str, Any]]:
    number = 0
    try:
        for number, line in enumerate(_lines(opened(stream, place)), 1):
            try:
                tree = _parse(line)
            except (ValueError, RecursionError) as error:
                _refuse(place, number, *fault(error, line))
            yield tree
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        _refuse(place, number + 1, gzip_fault(error), "compress the whole file again")


def _refuse(place: str, number: int, problem: str, remedy: str) -> NoReturn:
    raise UsageError(f"{place}: line {number}", problem, remedy) from None  # the cause would quote the record


def opened(stream: BinaryIO, place: str) -> io.BufferedIOBase | BinaryIO:
    """The bytes from the first one on, decompressed where they are gzip's.

    Raises:
        UsageError: for a pipe, and for a pointer in place of the data.
    """
    try:
        stream.seek(0)
        head = stream.read(len(LFS_POINTER))
        stream.seek(0)
    except io.UnsupportedOperation:
        raise UsageError(place, "cannot be read twice", "give a file, not a pipe") from None
    if head == LFS_POINTER:
        raise UsageError(place, "a Git LFS pointer, not the corpus", "fetch the file with `git lfs pull`")
    return gzip.GzipFile(fileobj=stream) if head.startswith(GZIP) else stream


def _lines(stream: io.BufferedIOBase | BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(LONGEST_LINE + 1):
        yield line


def _parse(line: bytes) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise ValueError(f"longer than {LONGEST_LINE:,} bytes", "shorten the record or leave it out")
    text = line.decode()
    tree: dict[str, Any] = _DECODER.decode(text)
    if type(tree) is not dict:
        raise ValueError("not an object", ONE_OBJECT)
    check(tree, text)
    return tree


def check(tree: object, text: str) -> None:
    """Raise, for `fault` to explain, what a decoder lets pass and no record may hold."""
    if text.count("{") + text.count("[") > DEEPEST:
        _check_depth(tree, DEEPEST)
    if SURROGATE.search(text):
        json.dumps(tree, ensure_ascii=False, default=str).encode()  # fails on half of a surrogate pair


def _check_depth(value: object, levels: int) -> None:
    if not isinstance(value, dict | list):
        return
    if levels == 0:
        raise ValueError(*TOO_DEEP)
    for item in value.values() if isinstance(value, dict) else value:
        _check_depth(item, levels - 1)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in one object", "write each key once")
    return found


def _no_constant(_name: str) -> NoReturn:
    raise ValueError("NaN or Infinity, which JSON does not have", "write null or leave the field out")


def _number(_digits: str) -> None:
    """Numbers are never used, so no digits are converted: 1e999999999 costs nothing and overflows nothing."""


def decoder(number: Callable[[str], object]) -> json.JSONDecoder:
    """A strict decoder that makes of each number what a function makes of its digits."""
    return json.JSONDecoder(
        object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=number, parse_int=number
    )


_DECODER = decoder(_number)


_BY_TYPE = {
    UnicodeDecodeError: ("not UTF-8", "save the file as UTF-8"),
    UnicodeEncodeError: ("an escape of half a surrogate pair", "write whole characters"),
    RecursionError: TOO_DEEP,
}


def fault(error: Exception, line: bytes) -> tuple[str, str]:
    """Problem and remedy of a line, without a byte of it."""
    if type(error) in _BY_TYPE:
        return _BY_TYPE[type(error)]
    if not isinstance(error, json.JSONDecodeError):
        return error.args[0], error.args[1]
    if line.startswith(BYTE_ORDER_MARK):
        return "a byte order mark", "save the file as UTF-8 without one"
    if not line.strip():
        return "blank", ONE_OBJECT
    if not line.endswith(b"\n"):
        return "not JSON, and the file ends here without a line feed", "restore the file: it may have been cut short"
    return "not JSON", f"{ONE_OBJECT}, ended by a line feed"


def gzip_fault(error: Exception) -> str:
    """What is wrong with gzip data."""
    if isinstance(error, EOFError):
        return "the gzip data end too early"
    if str(error).startswith("Not a gzipped file"):  # the first bytes were gzip's: these follow a whole member
        return "other bytes follow the gzip data"
    return "the gzip data are corrupt"
