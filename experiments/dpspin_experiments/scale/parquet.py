"""Records of Parquet files (extra `scale`, docs/decisions/0012-sketches-in-parts.md).

A column has one type for all its rows, so that no row can change how another is typed.  Ids, users and texts must be
columns of strings: numbers are not made into ids here, and the column that is asked for must be there, whereas a field
that a JSON object lacks is a record without one.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, BinaryIO

from dpspin.corpus.jsonl import Fields, Record
from dpspin.errors import UsageError

MAGIC = b"PAR1"
STRINGS = re.compile("(large_)?string(_view)?|dictionary<values=(large_)?string, .*>")
FAULTS = (ValueError, OSError, NotImplementedError)
"""What pyarrow's own errors are derived from."""
ROWS_AT_ONCE = 4096
BUFFER_BYTES = 2**20
"""Read at once of each column, so that a long row group is streamed."""


def is_parquet(stream: BinaryIO) -> bool:
    """Whether the first bytes are those of a Parquet file; the stream stands at its beginning afterwards."""
    stream.seek(0)
    head = stream.read(len(MAGIC))
    stream.seek(0)
    return head == MAGIC


def row_groups(path: str) -> list[int]:
    """The number of rows of every row group.

    Raises:
        UsageError: where the file cannot be read, or pyarrow is not installed.
    """
    about = _opened(path).metadata
    return [about.row_group(group).num_rows for group in range(about.num_row_groups)]


def records(path: str, group: int, fields: Fields) -> Iterator[Record]:
    """The records of one row group; a null is a missing value.

    Raises:
        UsageError: where the file cannot be read, or a column is not there or holds no strings.
    """
    file = _opened(path)
    columns = list(dict.fromkeys(name for name in fields if name is not None))
    for name in columns:
        _check_strings(file.schema_arrow, name, path)
    batches = file.iter_batches(ROWS_AT_ONCE, row_groups=[group], columns=columns, use_threads=False)
    while (rows := _next(batches, path, group)) is not None:
        for row in rows:
            yield Record(row[fields.id], row[fields.text], None if fields.user is None else row[fields.user], {})


def _next(batches: Iterator[Any], path: str, group: int) -> list[dict[str, str | None]] | None:
    try:
        batch = next(batches, None)
        return None if batch is None else batch.to_pylist()
    except FAULTS as error:
        raise _unreadable(f"{path}: row group {group}", error) from None  # the cause might quote a record


def _opened(path: str) -> Any:
    try:
        library: Any = import_module("pyarrow.parquet")
    except ImportError as error:
        raise UsageError(path, "Parquet, and pyarrow is not installed", 'run pip install "dpspin[scale]"') from error
    try:
        return library.ParquetFile(path, buffer_size=BUFFER_BYTES, pre_buffer=False)
    except FAULTS as error:
        raise _unreadable(path, error) from None


def _unreadable(place: str, error: Exception) -> UsageError:
    return UsageError(place, f"cannot be read as Parquet ({type(error).__name__})", "write the file again")


def _check_strings(schema: Any, name: str, path: str) -> None:
    found = schema.get_all_field_indices(name)
    if len(found) != 1:
        problem = "not there" if not found else "there more than once"
        raise UsageError(f"{path}: column {name!r}", problem, "name the deployment's fields as in the file")
    kind = str(schema.field(found[0]).type)
    if not STRINGS.fullmatch(kind):
        raise UsageError(f"{path}: column {name!r}", f"holds {kind}, not strings", "cast it to string")
