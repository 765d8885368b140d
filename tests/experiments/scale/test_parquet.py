"""Parquet: the records that JSON Lines would give, and columns that hold no strings are refused."""

import io

import pytest

from dpspin.corpus import jsonl
from dpspin.errors import UsageError
from dpspin_experiments.scale import parquet, partitions
from dpspin_experiments.scale.parquet import records, row_groups

FIELDS = jsonl.Fields("id", "text", "user")
library = pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra scale)")
store = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (extra scale)")


def kept(rows):
    """What a column of strings can hold of the rows."""
    return [
        {name: row[name] if isinstance(row.get(name), str) else None for name in ("id", "text", "user", "product")}
        if "product" in row
        else {name: row[name] if isinstance(row.get(name), str) else None for name in ("id", "text", "user")}
        for row in rows
    ]


def table(rows, kind):
    columns = {name: library.array([row[name] for row in rows], kind) for name in ("id", "text", "user")}
    return library.table({"number": library.array(range(len(rows))), **columns})


@pytest.fixture(params=["string", "large_string", "dictionary", "string_view"])
def kind(request):
    return {
        "string": library.string(), "large_string": library.large_string(), "string_view": library.string_view(),
        "dictionary": library.dictionary(library.int32(), library.string()),
    }[request.param]  # fmt: skip


def test_records_are_those_of_json_lines(small, kind, tmp_path):
    rows, path = kept(small.rows), tmp_path / "a.parquet"
    try:
        store.write_table(table(rows, kind), path, row_group_size=50)
    except NotImplementedError as error:
        pytest.skip(f"this pyarrow writes no such column ({error})")
    assert row_groups(str(path)) == [50, 50, 35]
    found = [record for group in range(3) for record in records(str(path), group, FIELDS)]
    wanted = jsonl.records(io.BytesIO(small.lines(rows)), "x", FIELDS)
    assert found == [record._replace(labels={}) for record in wanted]


def test_sketches_of_parquet_are_those_of_json_lines(small, setting, tmp_path):
    rows = kept(small.rows)
    (tmp_path / "corpus").mkdir()
    store.write_table(table(rows[:100], library.string()), tmp_path / "corpus" / "a.parquet", row_group_size=30)
    (tmp_path / "corpus" / "b.jsonl").write_bytes(small.lines(rows[100:]))
    assert small.computed([tmp_path / "corpus"], setting, tmp_path) == small.by_reference(setting, rows)


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"id": [1], "text": ["x"], "user": ["u"]}, "column 'id': holds int64, not strings"),
        ({"id": ["a"], "text": [["x"]], "user": ["u"]}, "column 'text': holds list"),
        ({"id": ["a"], "text": ["x"], "user": [1.5]}, "column 'user': holds double"),
        ({"id": ["a"], "text": ["x"], "user": [None]}, "column 'user': holds null"),
        ({"id": ["a"], "user": ["u"]}, "column 'text': not there"),
    ],
)
def test_columns_that_are_not_there_or_hold_no_strings_are_refused(columns, problem, tmp_path):
    path = tmp_path / "a.parquet"
    store.write_table(library.table(columns), path)
    with pytest.raises(UsageError, match=problem):
        list(records(str(path), 0, FIELDS))


def test_a_column_twice_is_refused(tmp_path):
    path, column = tmp_path / "a.parquet", library.array(["x"])
    names = ["id", "text", "user", "id"]
    store.write_table(library.Table.from_arrays([column] * 4, names), path)
    with pytest.raises(UsageError, match="there more than once"):
        list(records(str(path), 0, FIELDS))


def test_what_is_broken_is_refused_and_not_quoted(tmp_path):
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1 and more")
    with path.open("rb") as stream:
        assert parquet.is_parquet(stream)
    with pytest.raises(UsageError, match="cannot be read as Parquet"):
        partitions.look(str(path))
    latin = library.array([b"caf\xe9"]).view(library.string())
    store.write_table(library.table({"id": latin, "text": latin, "user": latin}), path)
    with pytest.raises(UsageError, match=r"row group 0: cannot be read as Parquet \(UnicodeDecodeError\)") as found:
        list(records(str(path), 0, FIELDS))
    assert "caf" not in str(found.value)
    assert found.value.__cause__ is None


def test_without_pyarrow_the_remedy_is_the_extra(tmp_path, monkeypatch):
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(UsageError, match=r"dpspin\[scale\]"):
        partitions.look(str(path))
