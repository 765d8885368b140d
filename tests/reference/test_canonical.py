"""Canonical JSON: equal values have equal bytes, and only strict JSON is read."""

import json
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin import canonical
from dpspin.errors import ImpossibleError, UsageError

LEAVES = st.none() | st.booleans() | st.integers() | st.text() | st.fractions()
TREES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


def shuffled(value):
    """The same value with every mapping in another order, tuples for lists."""
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in reversed(list(value))}
    return tuple(map(shuffled, value)) if isinstance(value, list) else value


def expected(value):
    """What a reader gets back, by the layout's own words."""
    if isinstance(value, Fraction) or (type(value) is int and abs(value) >= 2**53):
        return str(value)
    if isinstance(value, dict):
        return {key: expected(item) for key, item in value.items()}
    return [expected(item) for item in value] if isinstance(value, list) else value


@given(TREES)
def test_equal_values_have_equal_bytes_that_read_back(value):
    data = canonical.dumps(value)
    assert data == canonical.dumps(shuffled(value))
    assert data.endswith(b"\n")
    assert b"\n" not in data[:-1]
    assert canonical.loads(data, "x") == expected(value) == json.loads(data)
    assert canonical.dumps(canonical.loads(data, "x")) == data


def test_the_layout_is_pinned():
    value = {"b": [1, -(2**53), 2**53 - 1, True, None], "a": Fraction(-1, 3), "é": "ü\n", "Z": Fraction(4, 2)}
    assert canonical.dumps(value) == (
        '{"Z":"2","a":"-1/3","b":[1,"-9007199254740992",9007199254740991,true,null],"é":"ü\\n"}\n'.encode()
    )
    assert canonical.digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(
    "value", [1.0, float("nan"), b"x", {1: 2}, {None: 2}, {1, 2}, object(), [0.5], {"a": {"b": 1.5}}, "\ud800", 1j]
)
def test_other_values_are_refused(value):
    with pytest.raises(ImpossibleError):
        canonical.dumps(value)


@pytest.mark.parametrize(("text", "value"), [
    ("1.5e3", 1500), ("0.1", Fraction(1, 10)), ("-0.0", 0), ("1E-2", Fraction(1, 100)),
    ("12345678901234567890", 12345678901234567890), ("1e999", 10**999),
    (f"0.{'1' * 398}", Fraction(int("1" * 398), 10**398)), ("9" * 400, int("9" * 400)),
    ('"\\ud83d\\ude00"', "😀"), (" [1 , 2]\r\n", [1, 2]),
])  # fmt: skip
def test_numbers_are_read_exactly(text, value):
    assert canonical.loads(text.encode(), "x") == value


HOSTILE = {
    "duplicate key": b'{"secret":1,"secret":2}',
    "duplicate key inside": b'[{"secret":{"a":1,"a":1}}]',
    "NaN": b"[NaN]",
    "infinity": b"[-Infinity]",
    "not UTF-8": b'"secret\xff"',
    "UTF-16": '{"secret":1}'.encode("utf-16"),
    "byte order mark": b'\xef\xbb\xbf{"secret":1}',
    "lone surrogate": b'"secret\\ud800"',
    "lone surrogate in a key": b'{"secret\\uDFFF":1}',
    "raw surrogate": b'"\xed\xa0\x80"',
    "deep lists": b"[" * 100_000,
    "deep mappings": b'{"secret":' * 100_000,
    "huge exponent": b"[1e999999999]",
    "huge negative exponent": b"[1e-999999999]",
    "exponent beyond the limit": b"1e1000",
    "endless exponent": b"1e" + b"9" * 10_000,
    "endless integer": b"9" * 100_000,
    "endless decimal": b"0." + b"9" * 100_000,
    "bad escape": b'"secret \\q"',
    "control character": b'"secret\x01"',
    "unfinished": b'{"secret": "sec',
    "rest": b'{"a":1} secret',
    "empty": b"",
    "single quotes": b"{'secret': 1}",
    "leading zero": b"[007]",
    "trailing comma": b'["secret",]',
    "comment": b"[1] // secret",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_anything_but_strict_json_is_refused_without_quoting_it(data):
    with pytest.raises(UsageError, match=r"^corpus\.jsonl: line 7: not strict JSON \(.+\); write UTF-8 JSON") as caught:
        canonical.loads(data, "corpus.jsonl: line 7")
    text = str(caught.value)
    assert len(text) < 200
    assert "secret" not in text
    assert not re.search(r"\d{4,}", text)


def test_a_longer_file_names_the_line():
    with pytest.raises(UsageError, match="line 3, column 2"):
        canonical.loads(b'{\n"a": 1,\n x}', "f")


@given(st.binary(max_size=60) | st.text('[]{}",:0123456789eE.-+\\ud8aflsetrun ', max_size=60).map(str.encode))
def test_nothing_but_a_usage_error_ever_leaves(data):
    try:
        value = canonical.loads(data, "x")
    except UsageError:
        return
    canonical.dumps(value)
