"""CSV at its strictest: rows with their lines, and nothing that the csv module would hide."""

import csv
import io

import pytest

from dpspin.corpus import tabular
from dpspin.corpus.source import Source
from dpspin.corpus.tabular import FAULTS, Table
from dpspin.errors import UsageError


def table(data):
    source = Source(io.BytesIO(data), "F")
    return Table(source, source.lines())


def rows(data):
    return [(row.number, row.line, list(row.values.values())) for row in table(data).rows()]


def refusal(data):
    with pytest.raises(UsageError) as caught:
        rows(data)
    return str(caught.value)


def test_rows_carry_their_number_and_the_line_at_which_they_begin():
    assert rows(b'a,b\n1,"x\r\ny"\n\n"2\n",z\n3,\n') == [
        (1, 2, ["1", "x\r\ny"]), (2, 5, ["2\n", "z"]), (3, 7, ["3", ""]),
    ]  # fmt: skip


READ = {
    "quotes inside an unquoted cell": (b"a,b\n37'37.8\"N,x\n", ["37'37.8\"N", "x"]),
    "a quote behind a blank": (b'a,b\n "x",y\n', [' "x"', "y"]),
    "CR doubled before the line feed": (b"a,b\r\r\nx,y\r\r\n", ["x", "y"]),
    "U+2028 and U+0085": ("a,b\nx\u2028,y\x85\n".encode(), ["x\u2028", "y\x85"]),
    "a vertical tab and a form feed": (b"a,b\nx\v,y\f\n", ["x\v", "y\f"]),
    "a semicolon": (b"a,b;c\nx;,y\n", ["x;", "y"]),
    "a one-column file": (b'a\n""\n', [""]),
    "a header in quotes with a comma": (b'"a, or b",c\nx,y\n', ["x", "y"]),
    "names that differ by case": (b"a,A\nx,y\n", ["x", "y"]),
}


@pytest.mark.parametrize(("data", "cells"), READ.values(), ids=READ)
def test_what_csv_allows_is_read_exactly(data, cells):
    assert [row for _, _, row in rows(data)] == [cells]


@pytest.mark.parametrize("header", [
    "17,b", "a,2019-01-05", "a,1/2/2020 10:00", "a,-3.5", "a," + "x" * 101, ",b", "a,", "a ,b", "a,\tb", "a,b,a",
    "a,b\u200b", '"a\nb",c', "a;b", "a\tb", "a|b", '"a",2019-01-05T10:00:00Z', "a,(24)", "", "sep=,",
])  # fmt: skip
def test_a_header_that_names_no_columns_is_refused_without_its_words(header):
    with pytest.raises(UsageError) as caught:
        table(f"{header}\n".encode())
    assert caught.value.place == "F: line 1"
    assert caught.value.remedy


@pytest.mark.parametrize("header", ["a", "q1,q2", "2nd name,b", "Company response?,Größe", "401(k),b", "x" * 100])
def test_a_header_that_does_is_taken(header):
    assert table(f"{header}\n".encode()).fields == tuple(header.split(","))


def test_a_blank_before_a_quote_does_not_hide_a_comma():
    assert refusal(b'a,b\n1, "x, y"\n').startswith("F: line 2: 3 cells where the header names 2 columns")


def test_a_quote_left_open_is_placed_where_it_opens():
    assert refusal(b'a,b\n1,x\n2,"y\n3,z\n').startswith("F: line 3: a quote opens")
    assert refusal(b'a,b\n1,x\n2,"y\n3,"z"\n').startswith("F: line 3: text follows a closing quote")


@pytest.mark.parametrize("data", [b"a,b", b"a,b\n1,2", b"a,b\n1,2\r", b'a,b\n1,"2"'])
def test_a_last_row_without_line_feed_is_refused(data):
    assert "ends here without a line feed" in refusal(data)
    assert rows(data.rstrip(b"\r") + b"\n") == rows(data.rstrip(b"\r") + b"\r\n")


def test_a_header_alone_is_an_empty_table():
    assert rows(b"a,b\n") == []


def test_the_csv_module_still_says_what_is_translated(monkeypatch):
    said = set()
    for data in ("a\rb\n", '"a', '"a"b\n', "a" * 9):
        csv.field_size_limit(8)
        with pytest.raises(csv.Error) as caught:
            list(csv.reader([data], strict=True))
        said |= {words for words in FAULTS if words in str(caught.value)}
    assert said == set(FAULTS)
    monkeypatch.setattr(tabular, "LONGEST", 8)
    assert "a cell of more than" in refusal(b"a\nbbbbbbbbb\n")
    monkeypatch.undo()
    assert rows(b"a\nbbbbbbbbb\n")
