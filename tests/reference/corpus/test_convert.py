"""Conversion: every value comes through exactly, or the file is refused at its place; nothing is lost in silence."""

import csv
import gzip
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin import canonical
from dpspin.corpus import convert as module
from dpspin.corpus import jsonl
from dpspin.corpus.convert import Conversion, Converter
from dpspin.corpus.jsonl import Fields, Record
from dpspin.corpus.reader import Corpus
from dpspin.errors import UsageError

PAGE = Path(__file__).parents[3] / "docs" / "corpora.md"
PLAIN = Conversion("id", "text")


def convert(data, asked=PLAIN):
    """Lines and report."""
    converter = Converter(Corpus(io.BytesIO(data), "F"), asked)
    return b"".join(converter.lines()), converter.report()


def rows(data, asked=PLAIN):
    return [json.loads(line) for line in convert(data, asked)[0].splitlines()]


def refusal(data, asked=PLAIN):
    with pytest.raises(UsageError) as caught:
        convert(data, asked)
    assert caught.value.exit_code == 2
    assert str(caught.value).isprintable()
    return str(caught.value)


REFUSED = {
    "nothing, or blanks": b" \n\r\n",
    "Git LFS pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n",
    "gzip cut short": gzip.compress(b"id,text\n1,a\n", mtime=0)[:-9],
    "UTF-16": "id,text\nx,Zanzibar\n".encode("utf-16"),
    "Latin-1 bytes": b"id,text\nx,a\ny,caf\xe9\n",
    "NUL byte": b"id,text\nx,Zanzi\0bar\n",
    "CSV: lines ended by CR alone": b"id,text\rx,Zanzibar\r",
    "CSV: other separators": b"id;text\nx;Zanzibar\n",
    "CSV: no header": b"17,Zanzibar\n18,more\n",
    "CSV: blank first line": b"\nid,text\nx,Zanzibar\n",
    "CSV: blank before a name": b"id, text\nx,Zanzibar\n",
    "CSV: hidden character in a name": "id,\u200btext\nx,Zanzibar\n".encode(),
    "CSV: one name twice": b"id,text,id\nx,Zanzibar,y\n",
    "CSV: text cut at an unquoted comma": b"id,text\nx,fine\ny,Zanzibar, too\n",
    "CSV: too few cells": b"id,text\nx\ny,Zanzibar\n",
    "CSV: quote left open": b'id,text\nx,a\ny,"Zanzibar\nz,more\n',
    "CSV: text behind a quote": b'id,text\nx,"Zanzi"bar\n',
    "CSV: last line cut short": b"id,text\nx,a\ny,Zanzi",
    "JSON Lines: last line cut short": b'{"id":"x","text":"a"}\n{"id":"y","te',
    "JSON Lines: blank line": b'{"id":"x","text":"a"}\n\n',
    "JSON Lines: not an object": b'{"id":"x","text":"a"}\n["Zanzibar"]\n',
    "JSON: other syntax": b'[{"id":"x","text":"a"},\n{\'id\':\'Zanzibar\'}]\n',
    "JSON: array cut short": b'[{"id":"x","text":"a"},\n{"id":"y","text":"b"}',
    "JSON: text after the array": b'[{"id":"x","text":"a"}]\n["Zanzibar"]\n',
    "JSON: one key twice": b'[{"id":"x","id":"y","text":"Zanzibar"}]',
    "JSON: NaN": b'[{"id":"x","text":"Zanzibar","n":NaN}]',
    "JSON: half a surrogate pair": b'[{"id":"x","text":"Zanzibar\\ud83d"}]',
    "JSON: 20,000 levels": b'[{"id":"x","text":' + b"[" * 20_000 + b"]" * 20_000 + b"}]",
    "number for an id": b'{"id":7,"text":"Zanzibar"}\n',
    "ids of two types": b'{"id":"7","text":"a"}\n{"id":7,"text":"b"}\n',
    "list for an id": b'{"id":["Zanzibar"],"text":"b"}\n',
    "number for a text": b'{"id":"x","text":17}\n',
    "field under another style": b"ID,text\nx,Zanzibar\n",
    "no such field": b"id,Zanzibar\nx,y\n",
}
AS_WRITTEN = Conversion("id", "text", ids_as_written=True)


def documented():
    """First column -> message, of the table of refusals."""
    text = PAGE.read_text(encoding="utf-8").split("## Refusals")[1].split("## Labels")[0]
    return dict(re.findall(r"^\| ([^|`]+) \| ``(.+?) ?`` \|$", text, re.MULTILINE))


def asked_of(case):
    return AS_WRITTEN if case == "ids of two types" else PLAIN


@pytest.mark.parametrize("case", sorted(REFUSED | documented()))
def test_every_refusal_is_the_documented_one(case):
    message = refusal(REFUSED[case], asked_of(case))
    assert message == "F" + documented()[case]
    assert "Zanzi" not in message


@pytest.mark.parametrize("case", [case for case in REFUSED if "gzip" not in case])
def test_a_compressed_file_is_refused_alike(case):
    compressed = gzip.compress(REFUSED[case])
    if "LFS" not in case:  # what is compressed is not a pointer any more
        assert refusal(compressed, asked_of(case)) == refusal(REFUSED[case], asked_of(case))


def test_plain_readers_would_let_many_of_them_pass():
    passed = set()
    for case, data in REFUSED.items():
        try:
            text = data.decode()
            list(csv.DictReader(io.StringIO(text))) if "CSV" in case else json.loads(text)
        except (ValueError, RecursionError, csv.Error):
            continue
        passed.add(case)
    assert {
        "CSV: text cut at an unquoted comma",
        "CSV: quote left open",
        "CSV: one name twice",
        "CSV: no header",
    } <= passed
    assert {"JSON: one key twice", "JSON: NaN", "JSON: half a surrogate pair", "number for an id"} <= passed


TITLES = "Date received,Product,Consumer complaint narrative,State,Complaint ID\n"


@pytest.mark.parametrize("header", [TITLES, TITLES.lower().replace(" ", "_")], ids=["titles", "snake_case"])
def test_both_styles_of_the_complaint_database_are_read(header):
    _, _, text, _, number = header.strip().split(",")
    asked = Conversion(number, text, renamed=((number, "id"), (text, "text")))
    data = header.encode() + b'2017-03-21,Card,"They said ""no"", twice.",TX,2397100\n2017-03-22,Loan,,CA,2397101\n'
    lines, report = convert(data, asked)
    assert lines == b'{"id":"2397100","text":"They said \\"no\\", twice."}\n{"id":"2397101","text":""}\n'
    assert report["fields_left_out"] == sorted(header.strip().split(",")[i] for i in (0, 1, 3))
    assert report["noticed"] == [{"what": f"{text} is empty", "count": 1, "rows": [[2, 2]]}]
    assert report["dropped"] == []


def test_the_other_style_is_suggested():
    data = TITLES.lower().replace(" ", "_").encode() + b"d,p,t,s,1\n"
    message = refusal(data, Conversion("Complaint ID", "consumer_complaint_narrative"))
    assert message == "F: no field 'Complaint ID'; write 'complaint_id'"


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8) | st.text(
    '", \r\n\u2028\x85;\t', max_size=5
)


WRITERS = [("\r\n", csv.QUOTE_MINIMAL), ("\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_ALL)]
"""Without carriage returns in its line ends, QUOTE_MINIMAL leaves those in cells unquoted: such files are ambiguous."""


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=5), st.sampled_from(WRITERS), st.booleans())
def test_whatever_a_csv_writer_writes_comes_through_exactly(table, writer, mark):
    file = io.StringIO()
    csv.writer(file, lineterminator=writer[0], quoting=writer[1]).writerows([("id", "text", "who"), *table])
    lines, report = convert(b"\xef\xbb\xbf" * mark + file.getvalue().encode(), Conversion("id", "text", "who"))
    stream = io.BytesIO(lines)
    jsonl.validate(stream, "corpus")
    found = jsonl.records(stream, "corpus", Fields("id", "text", "who"))
    assert list(found) == [Record(key, text, who, {"who": who}) for key, text, who in table]
    assert report["source"]["rows"] == report["written"] == len(table)


VALUES = st.recursive(st.none() | st.booleans() | st.text(max_size=4) | st.integers(), lambda v: st.lists(v, max_size=2)
                      | st.dictionaries(st.text(max_size=3), v, max_size=2), max_leaves=4)  # fmt: skip
OBJECTS = st.fixed_dictionaries(
    {"id": st.text(max_size=4)}, optional={"text": st.none() | st.text(max_size=6), "more": VALUES}
)


@given(st.lists(OBJECTS, max_size=4), st.sampled_from([None, 1]), st.booleans(), st.booleans())
def test_every_json_value_comes_through_exactly(trees, indent, as_lines, escaped):
    trees = [{"id": "a", "text": "t", "more": None}, *trees]
    if as_lines:
        data = "".join(json.dumps(tree, ensure_ascii=escaped) + "\n" for tree in trees)
    else:
        data = json.dumps(trees, ensure_ascii=escaped, indent=indent)
    asked = Conversion("id", "text", kept=("more",))
    lines, report = convert(data.encode(), asked)
    assert [json.loads(line) for line in lines.split(b"\n")[:-1]] == trees
    assert convert(lines, asked)[0] == lines
    assert report["written"] == len(trees)
    jsonl.validate(io.BytesIO(lines), "corpus")


def test_the_canonical_bytes_are_pinned():
    data = b'[ {"z": [1.50, 1E400, {"b": true, "a": null}], "text": "caf\\u00e9\\n", "id": "\\ud83d\\ude00"} ]'
    assert convert(data, Conversion("id", "text", kept=("z",)))[0] == (
        '{"id":"😀","text":"café\\n","z":[1.50,1E400,{"a":null,"b":true}]}\n'.encode()
    )


def test_ids_as_written_keep_their_digits():
    data = (
        b'{"id":7,"text":"a"}\n{"id":7.0,"text":"b"}\n{"id":12345678901234567890123,"text":"c"}\n{"id":-0,"text":"d"}\n'
    )
    assert [row["id"] for row in rows(data, AS_WRITTEN)] == ["7", "7.0", "12345678901234567890123", "-0"]


def test_users_are_ids_as_well():
    data = b'{"id":"a","text":"t","u":5}\n{"id":"b","text":"t","u":null}\n{"id":"c","text":"t"}\n'
    assert "line 1, u: a number, not a string" in refusal(data, Conversion("id", "text", "u"))
    lines, report = convert(data, Conversion("id", "text", "u", ids_as_written=True))
    assert lines.splitlines()[0] == b'{"id":"a","text":"t","u":"5"}'
    assert lines.splitlines()[1] == b'{"id":"b","text":"t","u":null}'
    assert [(entry["what"], entry["rows"]) for entry in report["noticed"]] == [
        ("u is missing", [[3, 3]]), ("u is null", [[2, 2]]),
    ]  # fmt: skip


def test_missing_null_and_empty_stay_apart():
    data = b'{"id":"","text":""}\n{"id":null,"text":null}\n{"text":"t"}\n{"id":"x"}\n'
    assert rows(data) == [{"id": "", "text": ""}, {"id": None, "text": None}, {"text": "t"}, {"id": "x"}]
    assert {entry["what"]: entry["rows"] for entry in convert(data)[1]["noticed"]} == {
        "id is empty": [[1, 1]], "id is null": [[2, 2]], "id is missing": [[3, 3]],
        "text is empty": [[1, 1]], "text is null": [[2, 2]], "text is missing": [[4, 4]],
    }  # fmt: skip


def test_what_is_left_out_is_listed_by_row_and_reason():
    texts = ["one", "", "", " \t", "two", ""]
    data = "id,text\n" + "".join(f"i{number},{text}\n" for number, text in enumerate(texts))
    lines, report = convert(data.encode(), Conversion("id", "text", drop_empty_text=True))
    assert [json.loads(line)["text"] for line in lines.splitlines()] == ["one", "two"]
    assert report["dropped"] == [
        {"reason": "text is blank", "count": 1, "rows": [[4, 4]]},
        {"reason": "text is empty", "count": 3, "rows": [[2, 3], [6, 6]]},
    ]
    assert report["written"] + sum(entry["count"] for entry in report["dropped"]) == report["source"]["rows"] == 6
    assert len(rows(data.encode())) == 6


def test_blank_lines_are_listed_and_do_not_shift_lines():
    data = b'id,text\n\na,"b\nc"\n\r\n\nd,e\n'
    assert convert(data)[1]["source"]["blank_lines"] == [[2, 2], [5, 6]]
    assert "line 7: 1 cells" in refusal(data.replace(b"d,e", b"d"))


def test_display_names_are_noticed():
    data = b"id,text,who\n1,a,Ann Lee\n2,b,J. O'Neil-Smith\n3,c,u17\n4,d,Ann\n"
    noticed = convert(data, Conversion("id", "text", "who"))[1]["noticed"]
    assert noticed == [{"what": "who reads like a display name", "count": 2, "rows": [[1, 2]]}]


def test_a_report_is_canonical_json_for_the_curator():
    report = convert(b"\xef\xbb\xbfid,text\r\na,b\n")[1]
    assert json.loads(canonical.dumps(report)) == report
    assert report["audience"].startswith("curator only")
    assert report["source"] == {
        "format": "CSV", "encoding": "UTF-8 with a byte order mark", "gzip": False,
        "line_ends": {"crlf": 1, "lf": 1, "none": 0}, "blank_lines": [], "rows": 1,
    }  # fmt: skip


@pytest.mark.parametrize(("asked", "words"), [
    (Conversion("id", "id"), "field 'id': asked for twice"),
    (Conversion("id", "text", kept=("id",)), "field 'id': asked for twice"),
    (Conversion("id", "text", renamed=(("id", "a"), ("id", "b"))), "field 'id': asked for twice"),
    (Conversion("id", "text", renamed=(("other", "a"),)), "field 'other': to be renamed, but not"),
    (Conversion("id", "text", renamed=(("id", "text"),)), "field 'text': two fields would have this name"),
])  # fmt: skip
def test_fields_that_clash_are_refused(asked, words):
    assert refusal(b"id,text,other\na,b,c\n", asked).startswith(words)


def test_fields_may_be_swapped():
    assert rows(b"a,b\n1,2\n", Conversion("a", "b", renamed=(("a", "b"), ("b", "a")))) == [{"b": "1", "a": "2"}]


def test_a_field_that_no_object_has_is_refused_at_the_end():
    assert refusal(b'{"id":"x","Text":"y"}\n') == "F: no field 'text'; write 'Text'"
    assert convert(b"[]")[0] == b""


def test_a_line_that_no_reader_would_take_is_not_written(monkeypatch):
    monkeypatch.setattr(module, "LONGEST", 22)
    assert len(rows(b"id,text\na,b\n")) == 1
    assert "line 3: 27 bytes as JSON" in refusal(b"id,text\na,b\nc,defghi\n")


def test_a_text_of_20_megabytes_comes_through():
    text = "word, " * (20 * 2**20 // 6)
    assert rows(f'id,text\na,"{text}"\n'.encode())[0]["text"] == text
    assert rows(json.dumps([{"id": "a", "text": text}]).encode())[0]["text"] == text


def test_separators_of_unicode_end_no_line():
    data = '{"id":"a","text":"x\u2028y\x85z"}\n'.encode() * 2
    assert convert(data)[0] == data


@pytest.mark.parametrize("name", ["cfpb_multi", "banking77", "nhtsa_porsche"])
def test_real_corpora_are_canonical_already(name, data_dir):
    packed = (data_dir / f"{name}.jsonl.gz").read_bytes()
    plain = gzip.decompress(packed)
    others = tuple(sorted(json.loads(plain.split(b"\n", 1)[0]).keys() - {"id", "text"}))
    lines, report = convert(packed, Conversion("id", "text", kept=others))
    assert lines == plain
    assert report["dropped"] == report["noticed"] == []
