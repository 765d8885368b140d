"""Lines of any file: exact text, counted ends, and what no format can hold refused by line."""

import gzip
import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.corpus import source as module
from dpspin.corpus.source import Numbers, Source
from dpspin.errors import UsageError


def lines(data):
    return list(Source(io.BytesIO(data), "F").lines())


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff") | st.sampled_from("\n\r\x85\u2028")))
def test_every_character_comes_through_and_only_line_feeds_end_lines(text):
    found = lines(text.encode())
    assert "".join(found) == text
    assert len(found) == text.count("\n") + (not text.endswith("\n") and bool(text))
    assert lines(gzip.compress(text.encode())) == found
    assert "".join(lines(b"\xef\xbb\xbf" + text.encode())) == text


def test_what_was_seen_is_counted():
    source = Source(io.BytesIO(gzip.compress(b"\xef\xbb\xbfa\r\nb\nc\rd\r\ne", mtime=0)), "F")
    assert "".join(source.lines()) == "a\r\nb\nc\rd\r\ne"
    assert (source.line, source.line_ends) == (4, {"crlf": 2, "lf": 1, "none": 1})
    assert source.compressed
    assert source.byte_order_mark
    plain = Source(io.BytesIO(b"a\xef\xbb\xbf\n"), "F")
    assert list(plain.lines()) == ["a\ufeff\n"]
    assert not plain.compressed
    assert not plain.byte_order_mark


@pytest.mark.parametrize(("data", "words"), [
    ("a,b\n".encode("utf-16-le"), "line 1: UTF-16"), ("a,b\n".encode("utf-16-be"), "line 1: UTF-16"),
    ("a,b\n".encode("utf-16"), "line 1: UTF-16"), ("a,b\n".encode("utf-32"), "line 1: UTF-16"),
    (b"a\n\xff\n", "line 2: not UTF-8, from byte 1"), (b"a\nb\xed\xa0\x80\n", "line 2: not UTF-8, from byte 2"),
    (b"a\nb\0\n", "line 2: a NUL byte"), (b"PK\x03\x04\x14\0\0\0", "line 1: a NUL byte"),
    (b"a" * 65, "line 1: longer than 64 bytes"), (b"\n" + b"a" * 65, "line 2: longer than 64 bytes"),
    (gzip.compress(b"a\nb\n", mtime=0) + b"Z", "the gzip"),
])  # fmt: skip
def test_what_is_not_utf_8_text_is_refused_by_line(data, words, monkeypatch):
    monkeypatch.setattr(module, "LONGEST", 64)
    with pytest.raises(UsageError) as caught:
        lines(data)
    assert words.removeprefix("the ") in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None  # a decoding error would quote the bytes
    assert lines(b"a" * 63 + b"\n") == ["a" * 63 + "\n"]


def test_a_pipe_is_refused():
    reading, writing = os.pipe()
    os.close(writing)
    with os.fdopen(reading, "rb") as stream, pytest.raises(UsageError, match="give a file, not a pipe"):
        Source(stream, "F")


@given(st.sets(st.integers(1, 30)))
def test_consecutive_numbers_are_one_range(wanted):
    numbers = Numbers()
    for number in sorted(wanted):
        numbers.add(number)
    assert [n for first, last in numbers.ranges for n in range(first, last + 1)] == sorted(wanted)
    assert numbers.count() == len(wanted)
    assert all(left[1] + 1 < right[0] for left, right in zip(numbers.ranges, numbers.ranges[1:], strict=False))
