"""JSON arrays and JSON Lines: the same objects either way, numbers by their digits, faults by line."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.corpus import objects
from dpspin.corpus.objects import DECODER, Number, encoded, rows_of_array, rows_of_lines
from dpspin.corpus.source import Source
from dpspin.errors import UsageError


def of_lines(text):
    source = Source(io.BytesIO(text.encode()), "F")
    return list(rows_of_lines(source, source.lines()))


def of_array(text):
    source = Source(io.BytesIO(text.encode()), "F")
    return list(rows_of_array(source, source.lines()))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=3), v, max_size=3), max_leaves=6,
)  # fmt: skip
TREES = st.lists(st.dictionaries(st.text(max_size=3), VALUES, max_size=3), max_size=4)


@given(TREES, st.sampled_from([None, 0, 2]), st.booleans())
def test_arrays_and_lines_hold_the_same_objects(trees, indent, escaped):
    as_lines = of_lines("".join(json.dumps(tree, ensure_ascii=escaped) + "\n" for tree in trees))
    as_array = of_array(json.dumps(trees, ensure_ascii=escaped, indent=indent))
    assert [row.values for row in as_lines] == [row.values for row in as_array]
    assert [row.number for row in as_lines] == [row.number for row in as_array] == list(range(1, len(trees) + 1))
    assert [json.loads(encoded(row.values)) for row in as_lines] == trees


def test_numbers_are_not_read():
    row = of_lines('{"a": 1e999999999, "b": 0.10, "c": -0, "d": %s}' % ("9" * 10_000))[0]
    assert row.values["a"] == Number("1e999999999")
    assert encoded(row.values) == '{"a":1e999999999,"b":0.10,"c":-0,"d":%s}' % ("9" * 10_000)


def test_keys_are_sorted_at_every_level():
    assert encoded(DECODER.decode('{"b": {"y": [], "x": {}}, "a": "é"}')) == '{"a":"é","b":{"x":{},"y":[]}}'


def test_elements_know_their_lines():
    text = '\n[\n\n{"a":\n1}\n,{"a":"\\n"},\n {"b":2}\n]\n\n'
    assert [(row.number, row.line) for row in of_array(text)] == [(1, 4), (2, 6), (3, 7)]


@pytest.mark.parametrize("text", ["[]", " [ ] \n", "[{}]", "[{} , {}]"])
def test_arrays_of_objects_are_read(text):
    assert len(of_array(text)) == text.count("{}")


@pytest.mark.parametrize(("text", "line"), [
    ("[", 1), ("[{}", 1), ("[{},", 1), ("[\n{},\n", 3), ("[\n{},\n{", 3), ('[\n{"a', 2), ("[{},]", 1), ("[{}{}]", 1),
    ("[\n{} {}]", 2),
    ("[,{}]", 1), ("[{}]\n]", 2), ("[{}]\n[{}]", 2), ("[1]", 1), ('[{},\n"a"]', 2), ("[{},\n[]]", 2),
    ("[{},\nnull]", 2),
    ("[{},\n{'a':1}]", 2), ('[{},\n{"a":1,"a":2}]', 2), ('[{},\n{"a":Infinity}]', 2), ('[{},\n{"a":"\\udead"}]', 2),
    ('[{},\n{"a":"b\nc"}]', 2), ("[{},\n{}\u00a0]", 2), ('[\n{"a":' + "[" * 100 + "]" * 100 + "}]", 2),
    ("[\n" + "[" * 20_000, 2),
])  # fmt: skip
def test_what_is_no_array_of_objects_is_refused_by_line(text, line):
    with pytest.raises(UsageError) as caught:
        of_array(text)
    assert caught.value.place == f"F: line {line}"


@pytest.mark.parametrize("line", ["1", "null", '"a"', "[]", "{} {}", "{", "", '{"a":1,"a":2}', '{"a":NaN}', "{'a':1}",
                                  '{"a":"\\ud83d"}', '{"a":' + "[" * 100 + "]" * 100 + "}"])  # fmt: skip
def test_a_line_that_is_no_object_is_refused(line):
    with pytest.raises(UsageError) as caught:
        of_lines("{}\n" + line + "\n{}\n")
    assert caught.value.place == "F: line 2"


def test_a_long_array_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(objects, "LONGEST", 12)
    assert len(of_array("[{},\n{}\n,{}]")) == 3
    with pytest.raises(UsageError, match="F: a JSON array of more than 12 characters"):
        of_array("[{},\n{}\n, {}]")
