"""`dpspin report`: the page of an evidence file, whole or not at all; and what stands behind a check."""

import json

import pytest

from dpspin import canonical


@pytest.fixture
def evidence_file(audited, tmp_path):
    (tmp_path / "evidence.json").write_bytes(canonical.dumps(audited("ref")))
    return tmp_path / "evidence.json"


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


def test_tampered_evidence_is_refused_with_five_and_nothing_is_written(dpspin, evidence_file):
    data = evidence_file.read_bytes()
    evidence_file.write_bytes(data.replace(b'"verdict":"pass"', b'"verdict":"fail"'))
    run = dpspin("report", "build", evidence_file, "--format", "html", "--format", "sarif")
    assert (run.code, run.out) == (5, "")
    assert "verdict" in run.err
    assert [path.name for path in evidence_file.parent.iterdir() if path.is_file()] == ["evidence.json"]


def test_several_formats_go_to_one_folder(dpspin, evidence_file, tmp_path):
    out = tmp_path / "a" / "b"
    formats = ("html", "markdown", "sarif", "junit", "csv", "registry")
    run = dpspin(
        "report", "build", evidence_file, *(word for name in formats for word in ("--format", name)), "-o", out
    )
    assert (run.code, run.err) == (0, "")
    assert sorted(path.name for path in out.iterdir()) == [
        "figures.csv", "junit.xml", "registry.json", "report.html", "report.markdown", "report.sarif",
    ]  # fmt: skip
    assert run.out.count("wrote ") == 6


def test_many_give_an_index_with_the_reports_that_lie_below(dpspin, evidence_file, tmp_path):
    fleet = tmp_path / "fleet"
    for name in ("a", "b"):
        (fleet / name).mkdir(parents=True)
        (fleet / name / "evidence.json").write_bytes(evidence_file.read_bytes())
    tree = json.loads(evidence_file.read_bytes())
    tree["subject"]["name"] = "another"
    (fleet / "b" / "evidence.json").write_bytes(canonical.dumps(tree))
    (fleet / "a" / "report.html").write_text("x")
    run = dpspin("report", "build", fleet, "--format", "all", "--as-of", "2026-12-01")
    assert (run.code, run.err) == (0, "")
    audits = json.loads((fleet / "index.json").read_bytes())["audits"]
    assert {audit["report"] for audit in audits} == {"a/report.html", None}
    assert 'href="a/report.html"' in (fleet / "index.html").read_text()
    assert (fleet / "index.csv").exists()
    (fleet / "index.html").unlink()
    assert dpspin("report", "build", fleet / "a", fleet / "b").code == 0  # what holds both, not the first
    assert 'href="a/report.html"' in (fleet / "index.html").read_text()
    assert not (fleet / "a" / "index.html").exists()
    assert dpspin("report", "build", fleet / "a", fleet / "b", "-o", tmp_path / "i.html").code == 0
    assert 'href="fleet/a/report.html"' in (tmp_path / "i.html").read_text()


def test_one_bad_evidence_stops_an_index(dpspin, evidence_file, tmp_path):
    (tmp_path / "x.json").write_bytes(b"{}")
    run = dpspin("report", "build", evidence_file, tmp_path / "x.json", "-o", tmp_path / "i.html")
    assert run.code == 2
    assert not (tmp_path / "i.html").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("--format", "json"),
        ("--format", "docx"),
        ("--as-of", "spring"),
        ("--as-of", "2026-12-01"),
        ("-o", "no/such/folder/x.html"),
    ],
)
def test_what_cannot_be_made_is_refused(dpspin, evidence_file, words):
    assert dpspin("report", "build", evidence_file, *words).code == 2


def test_an_empty_folder_holds_no_evidence(dpspin, tmp_path):
    run = dpspin("report", "build", tmp_path)
    assert run.code == 2
    assert "holds no evidence.json" in run.err


def test_comparison_in_its_forms(dpspin, evidence_file, tmp_path):
    tree = json.loads(evidence_file.read_bytes())
    stray = dict.fromkeys(("order", "role", "charge", "chain", "text"))
    tree["exposures"] += [stray | {"name": "notes.txt", "sha256": "0" * 64, "bytes": 7}]
    next(row for row in tree["checks"] if row["id"] == "hygiene").update(status="fail", reason="notes.txt")
    counts, tree["verdict"] = tree["strengths"]["exact_on_hit"], "fail"
    counts.update({"pass": counts["pass"] - 1, "fail": counts.get("fail", 0) + 1})
    other = tmp_path / "other.json"
    other.write_bytes(canonical.dumps(tree))
    same, worse = (
        dpspin("report", "compare", evidence_file, evidence_file),
        dpspin("report", "compare", evidence_file, other, "--json"),
    )
    assert (same.code, same.err, worse.code) == (0, "", 1)
    assert json.loads(worse.out)["worse"] is True
    assert "| notes.txt |" in dpspin("report", "compare", evidence_file, other, "--markdown").out
    assert dpspin("report", "compare", evidence_file, other, "--markdown", "--json").code == 2
    tree["claim"]["unit"] = "user"
    other.write_bytes(canonical.dumps(tree))
    refused = dpspin("report", "compare", evidence_file, other)
    assert refused.code == 2
    assert "different units: record and user" in refused.err


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


def test_without_an_id_all_are_listed(dpspin):
    words, tree = dpspin("report", "explain"), dpspin("report", "explain", "--json")
    known = json.loads(tree.out)
    assert known.keys() >= {"hygiene", "proofs"}
    assert all(f"\n{id_}\n" in f"\n{words.out}" for id_ in known)
