r"""A corpus given as several files, cut into parts that can be read by themselves and in any order.

A plain file of JSON Lines is cut at line feeds, a Parquet file between its row groups; a gzip file is one part, because
it can be read from its beginning alone.  Records are read by the reference's own reader, so that what a record is, and
what is refused, does not depend on the cut.  No file may change between the first look at it and the reading of its
last part.
"""

import io
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from gzip import BadGzipFile, GzipFile
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

from dpspin.corpus import jsonl
from dpspin.corpus.jsonl import Fields, Record
from dpspin.errors import UsageError
from dpspin_audits.cli.inputs import open_corpus
from dpspin_experiments.scale import parquet

PART_BYTES = 2**24
"""Bytes of a part of a plain file, and what of the line across its end belongs to it: held in memory."""
BLOCK_BYTES = 2**20
SUFFIXES = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz", ".parquet")
"""Names that a folder's partitions may end in; a file that is named itself may have any name."""
PATTERN = re.compile(r"[*?\[]")
HIDDEN = (".", "_")
"""Beginnings of names that a folder may hold beside its partitions, such as _SUCCESS."""


class Part(NamedTuple):
    """What one task reads of one file."""

    path: str
    kind: Literal["lines", "gzip", "parquet"]
    start: int
    """First byte of plain lines, number of a row group of Parquet."""
    stop: int
    """The byte after the last one of plain lines."""
    records: int
    """Lines, or rows."""
    size: int
    """Bytes of the whole file, when it was looked at."""
    changed: int
    """When it was last changed before that, in nanoseconds of the file system's clock."""


def find(places: Sequence[Path]) -> list[Path]:
    """The files of a corpus: files as named, those in folders at any depth, and what patterns match.

    Raises:
        UsageError: where nothing is found, a folder holds something else, or one file is named twice: its records
            would count twice.
    """
    found = [path for place in places for path in _files(place)]
    seen: dict[tuple[int, int], Path] = {}
    for path in found:
        about = path.stat()
        first = seen.setdefault((about.st_dev, about.st_ino), path)
        if first is not path:
            raise UsageError(str(path), f"the same file as {first}", "name every file once")
    return found


def _files(place: Path) -> list[Path]:
    if place.is_dir():
        names = sorted(path for path in place.rglob("*") if not _hidden(path.relative_to(place)) and not path.is_dir())
        for path in names:
            if not path.name.endswith(SUFFIXES):
                raise UsageError(str(path), "no partition by its name", f"end it in {', '.join(SUFFIXES)}, or move it")
    elif PATTERN.search(str(place)) and not place.exists():
        matching = Path(place.anchor).glob(str(place.relative_to(place.anchor)))
        names = sorted(path for path in matching if not path.is_dir())
    else:
        names = [place]
    if not names:
        raise UsageError(str(place), "no partition there", "name files, or a folder or pattern of them")
    for path in names:
        if path.exists() and not path.is_file():
            raise UsageError(str(path), "cannot be read twice", "give a file, not a pipe")
        open_corpus(path).close()
    return names


def _hidden(path: Path) -> bool:
    return any(part.startswith(HIDDEN) for part in path.parts)


def look(path: str) -> list[Part]:
    """The parts of one file and how many records each has; records are counted, not read.

    Raises:
        UsageError: for a file that is no corpus, as the reference's reader says it.
    """
    with open_corpus(Path(path)) as stream:
        about = os.fstat(stream.fileno())
        if parquet.is_parquet(stream):
            return [
                Part(path, "parquet", group, group + 1, rows, about.st_size, about.st_mtime_ns)
                for group, rows in enumerate(parquet.row_groups(path))
            ]
        opened = jsonl.opened(stream, path)
        if isinstance(opened, GzipFile):
            rows = _gzip_lines(opened, stream, path)
            return [Part(path, "gzip", 0, about.st_size, rows, about.st_size, about.st_mtime_ns)]
        return [
            Part(path, "lines", start, stop, lines, about.st_size, about.st_mtime_ns)
            for start, stop, lines in _stretches(stream)
        ]


def _gzip_lines(opened: GzipFile, stream: BinaryIO, path: str) -> int:
    count, last = 0, b"\n"
    try:
        while block := opened.read(BLOCK_BYTES):
            count, last = count + block.count(b"\n"), block[-1:]
    except (BadGzipFile, EOFError, zlib.error):
        jsonl.validate(stream, path)  # says what is wrong, and where
    return count + (last != b"\n")


def _stretches(stream: BinaryIO) -> Iterator[tuple[int, int, int]]:
    """First byte, the one after the last, and number of lines; each but the last ends behind a line feed."""
    start = stop = lines = 0
    last = b"\n"
    while block := stream.read(BLOCK_BYTES):
        if stop + len(block) - start >= PART_BYTES and (end := block.rfind(b"\n") + 1):
            yield start, stop + end, lines + block.count(b"\n")
            start, lines = stop + end, -block.count(b"\n")
        lines, last, stop = lines + block.count(b"\n"), block[-1:], stop + len(block)
    if stop > start:
        yield start, stop, lines + (last != b"\n")


def records(part: Part, fields: Fields) -> Iterator[Record]:
    """The records of a part, in their order.

    Raises:
        UsageError: for what cannot be read exactly; lines are counted from the part's first (`explained` finds the
            line of the file), and for a file that has changed.
    """
    with open_corpus(Path(part.path)) as stream:
        about = os.fstat(stream.fileno())
        if (about.st_size, about.st_mtime_ns) != (part.size, part.changed):
            raise UsageError(part.path, "changed while it was read", "run again when it changes no more")
        if part.kind == "parquet":
            yield from parquet.records(part.path, part.start, fields)
        elif part.kind == "gzip":
            yield from jsonl.records(stream, part.path, fields)
        else:
            stream.seek(part.start)
            most = PART_BYTES + BLOCK_BYTES + jsonl.LONGEST_LINE  # a part is longer only where a line is refused
            data = io.BytesIO(stream.read(min(part.stop - part.start, most)))
            yield from jsonl.records(data, part.path, fields)


def explained(error: UsageError, part: Part) -> UsageError:
    """What the reference says of the whole file, with the line where it stands there; else the error itself."""
    if part.kind == "parquet" or not error.place.startswith(part.path):
        return error
    try:
        with open_corpus(Path(part.path)) as stream:
            jsonl.validate(stream, part.path)
    except UsageError as found:
        return found
    return error
