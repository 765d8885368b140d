"""Files are found, cut at line feeds, and read by the reference's reader, or refused as it refuses them."""

import gzip
import io
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.corpus import jsonl
from dpspin.errors import UsageError
from dpspin_experiments.scale import partitions
from dpspin_experiments.scale.partitions import explained, find, look, records

FIELDS = jsonl.Fields("id", "text", "user")


@given(st.binary(max_size=60).map(lambda data: data.replace(b"\x00", b"\n")), st.integers(1, 30), st.integers(1, 12))
@settings(max_examples=200, deadline=None)
def test_stretches_cover_every_byte_once_and_begin_at_lines(data, part, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partitions, "PART_BYTES", part)
        patch.setattr(partitions, "BLOCK_BYTES", block)
        found = list(partitions._stretches(io.BytesIO(data)))
    whole = io.BytesIO(data).readlines()
    cut = [io.BytesIO(data[start:stop]).readlines() for start, stop, _ in found]
    assert [line for each in cut for line in each] == whole
    assert [count for _, _, count in found] == list(map(len, cut))


@pytest.mark.parametrize("compressed", [False, True])
def test_parts_hold_the_records_of_the_file(small, compressed, tmp_path, monkeypatch):
    monkeypatch.setattr(partitions, "PART_BYTES", 2000)
    monkeypatch.setattr(partitions, "BLOCK_BYTES", 500)
    path, data = tmp_path / "corpus", small.lines(small.rows)
    path.write_bytes(gzip.compress(data, mtime=0) if compressed else data)
    parts = look(str(path))
    assert (len(parts) == 1) == compressed
    assert [row for part in parts for row in records(part, FIELDS)] == list(
        jsonl.records(io.BytesIO(data), "x", FIELDS)
    )
    assert sum(part.records for part in parts) == len(small.rows)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'{"id": "a"}\n{"id"', "line 2: not JSON, and the file ends here without a line feed"),
        (b"\xef\xbb\xbf{}\n", "line 1: a byte order mark"),
        (b"{}\n\n{}\n", "line 2: blank"),
        (b"{}\n\x1f\x8b\n", "line 2: not UTF-8"),
        (gzip.compress(b"{}\n" * 9, mtime=0)[:-4], "the gzip data end too early"),
        (gzip.compress(b"{}\n", mtime=0) + b"{}\n", "other bytes follow the gzip data"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"),
    ],
)
def test_refusals_are_the_references(data, problem, tmp_path, monkeypatch):
    """Every line is a part of its own, so that none is refused for its neighbours."""
    monkeypatch.setattr(partitions, "PART_BYTES", 1)
    monkeypatch.setattr(partitions, "BLOCK_BYTES", 1)
    path = tmp_path / "corpus"
    path.write_bytes(data)
    with pytest.raises(UsageError) as said:
        jsonl.validate(io.BytesIO(data), str(path))
    with pytest.raises(UsageError) as found:
        _all(str(path))
    assert str(found.value) == str(said.value)
    assert problem in str(found.value)


def _all(path):
    for part in look(path):
        try:
            list(records(part, FIELDS))
        except UsageError as error:
            raise explained(error, part) from None


def test_a_line_that_no_reader_may_hold_is_refused_and_not_held(tmp_path, monkeypatch):
    for module, name, value in (
        (partitions, "PART_BYTES", 100), (partitions, "BLOCK_BYTES", 10), (jsonl, "LONGEST_LINE", 50)
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)
    path = tmp_path / "corpus"
    path.write_bytes(b'{"id": "a"}\n' + b"x" * 10**6)
    read = []
    real = io.BytesIO
    monkeypatch.setattr(partitions.io, "BytesIO", lambda data: read.append(len(data)) or real(data))
    with pytest.raises(UsageError, match="line 2: longer than 50 bytes"):
        _all(str(path))
    assert max(read) == 160


def test_a_file_that_changes_is_refused(small, tmp_path):
    path = tmp_path / "corpus"
    path.write_bytes(small.lines(small.rows))
    [part] = look(str(path))
    os.utime(path, ns=(1, 1))
    with pytest.raises(UsageError, match="changed while it was read"):
        list(records(part, FIELDS))


def test_an_error_that_is_not_the_parts_stays_as_it_is(tmp_path):
    path = tmp_path / "corpus"
    path.write_bytes(b"{broken\n")
    [part] = look(str(path))
    other = UsageError("the scratch folder", "full", "make room")
    assert explained(other, part) is other
    path.write_bytes(b"{}\n")
    mended = UsageError(f"{path}: line 1", "not JSON", "mend it")
    assert explained(mended, part) is mended


def test_files_folders_and_patterns_are_found(small, tmp_path):
    paths = small.laid_out(tmp_path / "corpus", [small.rows[:2], small.rows[2:4], small.rows[4:6]])
    (tmp_path / "corpus" / "_SUCCESS").touch()
    (tmp_path / "corpus" / ".crc").mkdir()
    (tmp_path / "corpus" / ".crc" / "part").touch()
    deep = tmp_path / "corpus" / "year=2026" / "part-9.ndjson"
    deep.parent.mkdir()
    deep.touch()
    assert sorted(find([tmp_path / "corpus"])) == sorted([*paths, deep])
    assert find([tmp_path / "corpus" / "part-*"]) == paths
    assert find([tmp_path / "**" / "*.ndjson"]) == [deep]
    assert find(paths[:1]) == paths[:1]


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        (["none"], "cannot be read"),
        (["none-*"], "no partition there"),
        (["empty"], "no partition there"),
        (["a.jsonl", "a.jsonl"], "the same file as"),
        (["a.jsonl", "link.jsonl"], "the same file as"),
        (["a.jsonl", "."], "no partition by its name"),
        (["pipe"], "cannot be read twice"),
    ],
)
def test_what_is_no_corpus_or_counts_twice_is_refused(asked, problem, tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b"{}\n")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "a.jsonl")
    (tmp_path / "report.json").touch()
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match=problem):
        find([tmp_path / name for name in asked])
