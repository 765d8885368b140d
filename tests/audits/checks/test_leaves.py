"""Every value of a bundle has a path."""

from dpspin_audits.checks.leaves import leaves


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
