"""The YAML subset: what readers differ on is refused with line and field, in bounded time and one line."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin import strict_yaml
from dpspin.errors import UsageError

LAUGHS = "\n".join(f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12))

REFUSED = {
    "empty": ("", "d.yaml: empty; write its fields"),
    "comment only": ("# nothing\n", "d.yaml: empty; write its fields"),
    "two documents": ("a: 1\n---\na: 2\n", "line 2: expected a single document in the stream, but found another"),
    "not UTF-8": (b"a: \xe9", "byte 3 is not UTF-8; save the file as UTF-8"),
    "UTF-16": ("a: 1".encode("utf-16"), "byte 0 is not UTF-8"),
    "byte order mark": (b"\xef\xbb\xbfa: 1", "begins with a byte order mark; save the file as UTF-8 without one"),
    "NUL": ("a: b\0", "unacceptable character #x0000"),
    "tab": ("a:\n\tb: 1", "line 2: "),
    "unclosed": ("a: {b: 1\nc: 2", "line 2: "),
    "two colons": ("a: b: c", "line 1: mapping values are not allowed here"),
    "float": ("x:\n  a: 1e-6", "line 2: x.a: cannot use '1e-6' outside quotes; put it in quotes, or write a"),
    "float with point": ("a: 5.0", "line 1: a: cannot use '5.0' outside quotes"),
    "not a number": ("a: .nan", "line 1: a: cannot use '.nan' outside quotes"),
    "underscore": ("a: 1_0", "line 1: a: cannot use '1_0' outside quotes"),
    "hexadecimal": ("a: 0x10", "line 1: a: cannot use '0x10' outside quotes"),
    "leading zero": ("a: 010", "line 1: a: cannot use '010' outside quotes"),
    "plus": ("a: +5", "line 1: a: cannot use '+5' outside quotes"),
    "long integer": (f"a: {'9' * 5000}", "line 1: a: cannot use '9999"),
    "date": ("a: 2026-01-31", "line 1: a: cannot use '2026-01-31' outside quotes"),
    "date that is none": ("a: 2026-99-99", "line 1: a: cannot use '2026-99-99' outside quotes"),
    "yes by directive": ("%YAML 1.1\n---\na: yes", "line 3: a: cannot use 'yes'; write true or false, or put"),
    "True": ("a: True", "line 1: a: cannot use 'True'; write true or false"),
    "duplicate": ("a: 1\nb: 2\na: 3", "line 3: a: a key that stands twice; write each key once"),
    "duplicate inside": ("x: [{b: 1, b: 1}]", "line 1: x.0.b: a key that stands twice"),
    "duplicate spelt otherwise": ('"\\x61": 1\na: 3', "line 2: a: a key that stands twice"),
    "number as key": ("1: a", "line 1: a key that is not a text; write the name of a field"),
    "null as key": ("~: a", "line 1: a key that is not a text"),
    "list as key": ("? [a]\n: b", "line 1: a key that is not a text"),
    "merge": ("x:\n  <<: {a: 1}", "line 2: x: a key that is not a text"),
    "anchor": ("a: &here 1", "line 1: a: an anchor (&here); write the value out where it is needed"),
    "alias": ("a: *here", "line 1: found undefined alias 'here'"),
    "anchor and merge": ("a: &here {b: 1}\nc:\n  <<: *here", "line 1: a: an anchor (&here)"),
    "billion laughs": ("a0: &a0 [x]\n" + LAUGHS, "line 1: a0: an anchor (&a0)"),
    "recursion": ("a: &here [*here]", "line 1: a: an anchor (&here)"),
    "python object": ("a: !!python/object:os.system x", "line 1: a: a tag (tag:yaml.org,2002:python/object:os.system)"),
    "python name": ("a: !!python/name:os.system", "line 1: a: a tag"),
    "own tag": ("a: !mine x", "line 1: a: a tag (!mine); leave tags out"),
    "set": ("a: !!set {b, c}", "line 1: a: a tag"),
    "tagged mapping": ("a: !!python/object/apply:os.system [x]", "line 1: a: a tag"),
    "binary": ("a: !!binary aGk=", "line 1: a: a tag"),
    "tagged number": ("a: !!int '5'", "line 1: a: cannot use '5' outside quotes"),
    "tagged nonsense": ("a: !!int x", "line 1: a: cannot use 'x' outside quotes"),
    "tagged switch": ("a: !!bool x", "line 1: a: cannot use 'x'; write true or false"),
    "deep list": ("[" * 900, "too deeply nested; write a few levels only"),
    "deep mapping": ("{a: " * 2000 + "1" + "}" * 2000, "too deeply nested"),
    "deep blocks": ("\n".join(" " * i + "a:" for i in range(600)), "too deeply nested"),
    "surrogate": ('a: "\\ud800"', "line 1: a: half of a surrogate pair; write the character itself"),
    "surrogate pair": ('a: "\\ud83d\\ude00"', "line 1: a: half of a surrogate pair"),
    "surrogate in a key": ('"\\udfff": 1', "line 1: half of a surrogate pair"),
    "long file": ("#" * 300_000, "longer than 262144 bytes"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_what_readers_differ_on_is_refused_in_one_line(text, message):
    with pytest.raises(UsageError) as caught:
        strict_yaml.loads(text if isinstance(text, bytes) else text.encode(), "d.yaml")
    found = str(caught.value)
    assert found.startswith("d.yaml: ")
    assert message in found
    assert found.isprintable()
    assert len(found) < 250


READ = {
    "a: 1\nb: -20\nc: 0": {"a": 1, "b": -20, "c": 0},
    "a: true\nb: false": {"a": True, "b": False},
    "a:\nb: ~\nc: null": {"a": None, "b": None, "c": None},
    "a: yes\nb: no\nc: on": {"a": "yes", "b": "no", "c": "on"},
    "a: '1'\nb: \"1e-6\"\nc: '2026-01-31'": {"a": "1", "b": "1e-6", "c": "2026-01-31"},
    "a: [x, {b: y}]\nc: []\nd: {}": {"a": ["x", {"b": "y"}], "c": [], "d": {}},
    "a: >\n  one\n  two\nb: |\n  x\n": {"a": "one two\n", "b": "x\n"},
    "%YAML 1.2\n---\na: x # why\n...\n": {"a": "x"},
    "[1, 2]": [1, 2],
    "word": "word",
    "a: !!str 5": {"a": "5"},
}


@pytest.mark.parametrize(("text", "value"), READ.items())
def test_the_subset_is_read_as_yaml_1_2_says(text, value):
    found = strict_yaml.loads(text.encode(), "d.yaml")
    assert found == value
    assert repr(found) == repr(value)  # 1 is not True


TEXTS = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=20)
TREES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=12,
)


@given(TREES)
def test_json_without_fractions_is_part_of_the_subset(value):
    text = json.dumps(value, ensure_ascii=True)
    if value is not None:
        found = strict_yaml.loads(text.encode(), "d.yaml")
        assert repr(found) == repr(value)


@given(st.text("ab:-[]{},&*!|>'\"%#?~ \n\t019._<=@`\\", max_size=60))
def test_nothing_but_a_usage_error_ever_leaves(text):
    with contextlib.suppress(UsageError):
        strict_yaml.loads(text.encode(), "d.yaml")
