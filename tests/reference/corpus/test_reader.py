"""Formats are told by the first character, and rows counted as they are read."""

import gzip
import io

import pytest

from dpspin.corpus.reader import Corpus
from dpspin.errors import UsageError

FORMATS = {
    "CSV": [b"a,b\nx,y\n", b'"a","b"\r\nx,y\r\n', b"null,b\nx,y\n"],
    "JSON Lines": [b'{"a":"x"}\n', b'\t{"a":"x"}', b'{"a":"x"}\r\n'],
    "JSON array": [b'[{"a":"x"}]', b'\n\r\n  [{"a":"x"}]\n', b'[\r{"a":"x"}\r]\r'],
}


@pytest.mark.parametrize(("name", "data"), [(name, data) for name, files in FORMATS.items() for data in files])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
def test_the_first_character_tells_the_format(name, data, mark):
    for stored in (mark + data, gzip.compress(mark + data)):
        corpus = Corpus(io.BytesIO(stored), "F")
        assert [next(iter(row.values.values())) for row in corpus] == ["x"]
        found = corpus.found()
        assert (found["format"], found["rows"], found["gzip"]) == (name, 1, stored != mark + data)
        assert found["encoding"] == "UTF-8" + " with a byte order mark" * bool(mark)


@pytest.mark.parametrize("data", [b"", b"\n", b" \t\r\n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
def test_a_file_that_holds_nothing_is_refused(data):
    with pytest.raises(UsageError, match=r"^F: empty: neither a header nor a record; restore the file$"):
        Corpus(io.BytesIO(data), "F")


def test_rows_stream():
    corpus = Corpus(io.BytesIO(b'{"a":"x"}\n' * 3 + b"broken"), "F")
    rows = iter(corpus)
    assert [next(rows).number for _ in range(3)] == [1, 2, 3]
    assert corpus.read == 3
    with pytest.raises(UsageError, match="line 4"):
        next(rows)
