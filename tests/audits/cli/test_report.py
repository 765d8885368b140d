"""`dpspin report`: the page of an evidence file, whole or not at all; and what stands behind a check."""

import json

import pytest


@pytest.fixture
def evidence_file(dpspin, brief, tmp_path):
    assert dpspin("audit", "--out", tmp_path / "audit").code == 0
    return (tmp_path / "audit" / "evidence.json").rename(tmp_path / "evidence.json")


def test_the_page_is_written_beside_the_evidence_and_is_the_same_every_time(dpspin, evidence_file):
    pages = []
    for _ in range(2):
        run = dpspin("report", "build", evidence_file)
        assert (run.code, run.err) == (0, "")
        pages.append(evidence_file.with_name("report.html").read_bytes())
    assert pages[0] == pages[1]
    assert pages[0].startswith(b"<!doctype html>")


def test_another_place(dpspin, evidence_file, tmp_path):
    assert dpspin("report", "build", evidence_file, "-o", tmp_path / "page.html").code == 0
    assert (tmp_path / "page.html").exists()


@pytest.mark.parametrize("data", [b"{}", b"[]", b"not json", b'{"schema":"dpspin-evidence/2"}'])
def test_what_is_no_evidence_is_refused_in_one_line(dpspin, tmp_path, data):
    path = tmp_path / "evidence.json"
    path.write_bytes(data)
    run = dpspin("report", "build", path)
    assert run.code == 2
    assert run.err.startswith("dpspin: ")
    assert run.err.count("\n") == 1
    assert not (tmp_path / "report.html").exists()


def test_a_check_is_explained_in_words_and_as_json(dpspin):
    words, tree = dpspin("report", "explain", "grouping"), dpspin("report", "explain", "grouping", "--json")
    assert (words.code, tree.code, words.err) == (0, 0, "")
    assert words.out.startswith("grouping\n\nQuestion\n  Are records put together")
    assert max(map(len, words.out.splitlines())) <= 96
    found = json.loads(tree.out)
    assert found["id"] == "grouping"
    assert " ".join(words.out.split()).count(found["argument"]) == 1


def test_an_unknown_check_is_refused_with_the_known_ones(dpspin):
    run = dpspin("report", "explain", "grouping.users")
    assert (run.code, run.out) == (2, "")
    assert "noninterference" in run.err
