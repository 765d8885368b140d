"""Framing is refused as a whole, before anything is charged; whatever a record holds afterwards is harmless."""

import contextlib
import gzip
import io
import json
import os
import traceback
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.corpus import embedded, jsonl
from dpspin.corpus.jsonl import Fields, Record, records, validate
from dpspin.errors import UsageError

DATA = Path(os.environ.get("DPSPIN_DATA", Path(__file__).parents[4] / "shared" / "data"))
FIELDS = Fields("id", "text", "user")
SECRET = b"Zanzibar"
GOOD = b'{"id":"a","text":"Zanzibar"}\n'
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"


def read(data: bytes, fields: Fields = FIELDS) -> list[Record]:
    stream = io.BytesIO(data)
    validate(stream, "corpus")
    return list(records(stream, "corpus", fields))


def refusal(data: bytes) -> UsageError:
    with pytest.raises(UsageError) as caught:
        validate(io.BytesIO(data), "corpus")
    with pytest.raises(UsageError):
        list(records(io.BytesIO(data), "corpus", FIELDS))
    return caught.value


def on_line_two(line: bytes) -> bytes:
    return GOOD + line + b"\n" + GOOD


UNFRAMED = {
    "not UTF-8": b'{"id":"Zanzibar\xff"}',
    "a byte order mark": b'\xef\xbb\xbf{"id":"Zanzibar"}',
    "blank": b" \t\r",
    "not JSON": b"{'id': 'Zanzibar'}",
    "NaN or Infinity, which JSON does not have": b'{"id":"Zanzibar","x":-Infinity}',
    "not an object": b'["Zanzibar"]',
    "a key stands twice in one object": b'{"id":"Zanzibar","x":{"b":1,"b":2}}',
    "an escape of half a surrogate pair": b'{"id":"Zanzibar","x":["\\uD83D"]}',
    "nested deeper than 100 levels": b'{"id":"Zanzibar","x":' + b"[" * 20_000 + b"]" * 20_000 + b"}",
}


@pytest.mark.parametrize(("problem", "line"), UNFRAMED.items(), ids=UNFRAMED)
def test_a_line_that_is_not_an_object_is_refused_by_place_and_fault(problem: str, line: bytes) -> None:
    error = refusal(on_line_two(line))
    assert (error.place, error.problem) == ("corpus: line 2", problem)
    assert "\n" not in str(error)
    assert error.remedy


@pytest.mark.parametrize("line", UNFRAMED.values(), ids=UNFRAMED)
def test_no_message_and_no_traceback_quotes_a_record(line: bytes) -> None:
    shown = "".join(traceback.format_exception(refusal(on_line_two(line))))
    assert SECRET.decode() not in shown
    assert "During handling" not in shown  # the cause may quote a character


def test_a_plain_reader_would_let_several_of_them_pass() -> None:
    accepted = set()
    for problem, line in UNFRAMED.items():
        with contextlib.suppress(ValueError, RecursionError):
            json.loads(line)
            accepted.add(problem)
    assert len(accepted) >= 4


NOT_JSON = {
    "a number with a leading zero": b'{"x":01}',
    "NaN inside a list": b'{"x":[NaN]}',
    "a raw line feed in a string": b'{"id":"a\nb"}',
    "a raw NUL in a string": b'{"id":"a\0b"}',
    "lines ended by carriage returns": b'{"id":"a"}\r{"id":"b"}',
    "two objects": b'{"id":"a"} {"id":"b"}',
    "UTF-16": '{"id":"a"}'.encode("utf-16"),
    "a comma at the end": b'{"id":"a",}',
    "a CSV header": b"id,text",
    "half of a pair, low": b'{"id":"\\udc00"}',
    "half of a pair in a key": b'{"\\ud800x":"a"}',
    "a blank line at the end of all": b"",
}


@pytest.mark.parametrize("line", NOT_JSON.values(), ids=NOT_JSON)
def test_more_that_is_not_one_object_a_line(line: bytes) -> None:
    refusal(GOOD + line + b"\n")


def test_a_file_cut_short_says_so() -> None:
    error = refusal(GOOD + GOOD[:-4])
    assert error.place == "corpus: line 2"
    assert "ends here without a line feed" in error.problem


FRAMED = {
    "no final line feed": (GOOD[:-1], 1),
    "empty": (b"", 0),
    "CRLF": (GOOD.replace(b"\n", b"\r\n") * 2, 2),
    "U+2028, U+2029 and U+0085": ('{"id":"a\u2028b\u2029c\x85d"}\n'.encode() * 2, 2),
    "escaped line feeds and NUL": (b'{"id":"a\\n\\r\\u0000b"}\n', 1),
    "a whole surrogate pair": (b'{"id":"\\ud83d\\ude00"}\n', 1),
    "a backslash before u": (b'{"id":"C:\\\\ud800"}\n', 1),
    "a huge exponent": (b'{"id":"a","x":1e999999999,"y":-1E-999999999}\n', 1),
    "a number of a million digits": (b'{"id":"a","x":' + b"9" * 10**6 + b"}\n", 1),
    "brackets in a string": (json.dumps({"id": "a", "text": "[{" * 5000}).encode() + b"\n", 1),
    "a hundred levels": (b'{"[{":"[","x":' + b"[" * 99 + b"]" * 99 + b"}\n", 1),
}


@pytest.mark.parametrize(("data", "count"), FRAMED.values(), ids=FRAMED)
def test_what_json_lines_allow_is_read(data: bytes, count: int) -> None:
    assert len(read(data)) == count
    assert len(read(gzip.compress(data))) == count


def test_one_level_more_than_a_hundred_is_refused_at_any_call_depth() -> None:
    line = b'{"x":' + b"[" * 100 + b"]" * 100 + b"}\n"

    def deeper(levels: int) -> str:
        return deeper(levels - 1) if levels else refusal(line).problem

    assert deeper(0) == deeper(300) == "nested deeper than 100 levels"


ODD = {
    "no text": ({"id": "a"}, Record("a", None, None, {})),
    "no id": ({"text": "t"}, Record(None, "t", None, {})),
    "a number for an id": ({"id": 7, "text": "t"}, Record(None, "t", None, {})),
    "null, list, bool": ({"id": None, "text": ["t"], "user": True}, Record(None, None, None, {})),
    "labels": ({"id": "a", "text": "t", "user": "u", "n": 1, "product": "p"},
               Record("a", "t", "u", {"user": "u", "product": "p"})),
    "blanks and case are kept": ({"id": " A\n"}, Record(" A\n", None, None, {})),
    "empty strings are strings": ({"id": "", "text": ""}, Record("", "", None, {})),
}  # fmt: skip


@pytest.mark.parametrize(("tree", "record"), ODD.values(), ids=ODD)
def test_odd_fields_never_stop_a_release(tree: dict[str, object], record: Record) -> None:
    assert read(json.dumps(tree).encode()) == [record]


def test_ids_are_compared_as_given() -> None:
    ids = ["1", " 1", "01", "1.0", "caf\u00e9", "cafe\u0301", "CAF\u00c9"]
    lines = b"".join(json.dumps({"id": name}).encode() + b"\n" for name in ids)
    assert [record.id for record in read(lines)] == ids


@given(st.lists(st.dictionaries(st.text(), st.none() | st.booleans() | st.text() | st.lists(st.text()), max_size=4)))
def test_every_list_of_objects_is_read_back_record_by_record(trees: list[dict[str, object]]) -> None:
    data = b"".join(json.dumps(tree, ensure_ascii=len(tree) % 2 == 0).encode() + b"\n" for tree in trees)
    assert read(data) == [jsonl.record_of(tree, FIELDS) for tree in trees]


@given(st.binary(max_size=60) | st.text(alphabet='{}[]":,\\ud8\n a1', max_size=40).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        read(data)
    except UsageError as error:
        assert error.place.startswith("corpus")  # noqa: PT017


def test_a_line_of_20_megabytes_is_read() -> None:
    text = "word " * (4 * 2**20)
    assert read(json.dumps({"id": "a", "text": text}).encode())[0].text == text


def test_a_line_over_the_limit_is_refused_and_one_at_the_limit_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "LONGEST_LINE", len(GOOD))
    assert len(read(GOOD * 2)) == 2
    assert refusal(GOOD + b" " + GOOD).problem == f"longer than {len(GOOD)} bytes"


class Endless(io.RawIOBase):
    """A file without end, one line at a time: only a reader that streams returns before it complains."""

    def __init__(self) -> None:
        self.lines = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return 0

    def readinto(self, buffer: memoryview) -> int:
        self.lines += 1
        assert self.lines < 10_000, "the reader wants the whole file"
        buffer[: len(GOOD)] = GOOD
        return len(GOOD)


def test_records_stream() -> None:
    found = records(io.BufferedReader(Endless()), "corpus", FIELDS)
    assert [next(found).id for _ in range(3)] == ["a"] * 3
    with pytest.raises(AssertionError, match="whole file"):
        validate(io.BufferedReader(Endless()), "corpus")


def test_both_passes_begin_at_the_first_byte() -> None:
    stream = io.BytesIO(GOOD * 3)
    stream.seek(5)
    validate(stream, "corpus")
    assert len(list(records(stream, "corpus", FIELDS))) == len(list(records(stream, "corpus", FIELDS))) == 3


def test_a_pipe_is_refused() -> None:
    reading, writing = os.pipe()
    os.close(writing)
    with os.fdopen(reading, "rb") as stream, pytest.raises(UsageError, match="cannot be read twice"):
        validate(stream, "corpus")


WHOLE = gzip.compress(GOOD * 200, mtime=0)
BROKEN = {
    "too short": (WHOLE[:-9], "the gzip data end too early"),
    "a header only": (WHOLE[:10], "the gzip data end too early"),
    "wrong check sum": (WHOLE[:-8] + bytes(4) + WHOLE[-4:], "the gzip data are corrupt"),
    "a flipped byte": (WHOLE[:14] + bytes([WHOLE[14] ^ 255]) + WHOLE[15:], "the gzip data are corrupt"),
    "more bytes behind": (WHOLE + SECRET, "other bytes follow the gzip data"),
    "one byte behind": (WHOLE + b"Z", "other bytes follow the gzip data"),
}


@pytest.mark.parametrize(("data", "problem"), BROKEN.values(), ids=BROKEN)
def test_broken_gzip_is_refused(data: bytes, problem: str) -> None:
    error = refusal(data)
    assert error.problem == problem
    assert SECRET.decode()[:2] not in str(error)


def test_gzip_members_may_follow_each_other() -> None:
    assert len(read(WHOLE + WHOLE)) == 400


def test_a_pointer_in_place_of_the_data_is_named() -> None:
    assert refusal(POINTER).problem == "a Git LFS pointer, not the corpus"


@pytest.mark.skipif(not DATA.exists(), reason="the folder of real data is absent")
def test_hostile_files_are_refused_unless_they_are_one_object_or_empty() -> None:
    accepted = set()
    for path in sorted((DATA / "hostile").iterdir()):
        with path.open("rb") as stream:
            try:
                validate(stream, path.name)
            except UsageError:
                continue
        accepted.add(path.name)
    assert accepted == {"json_n_structure_no_data.json"}


@pytest.mark.skipif(not DATA.exists(), reason="the folder of real data is absent")
def test_naughty_strings_pass_through_unchanged() -> None:
    strings = json.loads((DATA / "hostile" / "blns.json").read_bytes())
    data = b"".join(json.dumps({"id": s, "text": s}, ensure_ascii=False).encode() + b"\n" for s in strings)
    assert [(record.id, record.text) for record in read(data)] == [(s, s) for s in strings]


def test_the_fields_of_a_deployment_are_used() -> None:
    assert next(embedded.corpus()).labels.keys() == {"user", "product", "issue", "sub_issue"}
