"""Every value of a bundle has a path."""

import pytest

from dpspin_audits.checks.leaves import leaves, line_of


def test_json_is_taken_apart_to_its_scalars():
    found = leaves({"a.json": b'{"x":{"y":[1,"two",null]},"z":true}'})
    assert found == {
        "a.json: bytes": "35", "a.json: x.y.length": "3", "a.json: x.y[0]": "1", "a.json: x.y[1]": "two",
        "a.json: x.y[2]": "None", "a.json: z": "True",
    }  # fmt: skip


def test_lines_and_words_have_paths_too():
    found = leaves({"t.jsonl": b'{"n":1}\n{"n":2}\n', "s.txt": b"ranks first, with 118.4\n"})
    assert (found["t.jsonl: [0].n"], found["t.jsonl: [1].n"], found["t.jsonl: lines.length"]) == ("1", "2", "2")
    assert {"s.txt: word first", "s.txt: word 118.4"} <= set(found)


def test_what_is_no_json_is_read_as_words():
    assert leaves({"a.json": b"n = 1009"})["a.json: word 1009"] == "there"
    assert "a.bin: word ab\ufffd" in leaves({"a.bin": b"ab\xff"})


BUNDLE = {
    "t.jsonl": b'{"n":1}\n{"n":2}\n', "s.txt": b"first\nthen 118.4, last\n",
    "a.json": b'{"x":\n{"y":\n["one"]},\n"z":1}',
    "b.json": b'{"x":[{"y":"one"}]}',
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "line"),
    [("t.jsonl: [1].n", 2), ("t.jsonl: lines.length", None), ("s.txt: word 118.4", 2), ("s.txt: word 118", None),
     ("a.json: x.y[0]", 2), ("a.json: x.y.length", 2), ("a.json: z", 4), ("b.json: x[0].y", 1), ("a.json: bytes", None),
     ("missing: word x", None)],
)  # fmt: skip
def test_a_path_has_a_line(path, line):
    assert line_of(path, BUNDLE) == line
