"""`dpspin corpus`: any file to the canonical corpus or one clear line; public files from auxiliary records alone."""

import gzip
import json
import os
import stat

import pytest

from dpspin import pipeline
from dpspin.corpus import embedded, synthetic

OPTIONS = ["--label-field", "product", "--label-field", "issue", "--label-field", "sub_issue"]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in synthetic.records(embedded.RECORDS)))
    return path


def test_it_rebuilds_the_embedded_files_and_prints_their_digests(dpspin, corpus, tmp_path):
    known = embedded.files()
    setting = pipeline.load(known["deployment.yaml"], "deployment.yaml", known.__getitem__)
    key = setting.deployment.corpus.split.key
    run = dpspin("corpus", "universe", corpus, *OPTIONS, "--size", 60, "--split-key", key, "--out", tmp_path / "out")
    assert (run.code, run.err) == (0, "")
    for name in ("universe.json", "weights.json"):
        assert (tmp_path / "out" / name).read_bytes() == known[name]
    assert setting.deployment.universe.sha256 in run.out
    assert setting.deployment.assignment.weights.sha256 in run.out
    assert "atom 3 'Credit card / Fees' begins 2 longer labels" in run.out


def test_records_are_divided_by_user_where_users_are_the_unit(dpspin, tmp_path):
    path = tmp_path / "corpus.jsonl"
    rows = [
        {"id": f"i{n}", "user": f"u{n % 8}", "product": f"kind {chr(97 + n % 8)}", "text": "words"} for n in range(200)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = {}
    for name, options in (("record", []), ("user", ["--user-field", "user"])):
        out = tmp_path / name
        run = dpspin("corpus", "universe", path, "--label-field", "product", "--size", 9, "--rule", "label", *options,
                     "--split-key", "long-enough", "--out", out)  # fmt: skip
        assert run.code == 0
        found[name] = len(json.loads((out / "universe.json").read_bytes())["atoms"])
    assert found["record"] == 8  # some record of every user is auxiliary
    assert 0 < found["user"] < 8  # some users are protected as a whole


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--size", "0", "--split-key", "long-enough"], "0"),
        (["--size", "5", "--split-key", "short"], "shorter than 8"),
        (["--size", "5", "--split-key", "long-enough", "--auxiliary-share", "1"], "between 0 and 1"),
        (["--size", "5", "--split-key", "long-enough", "--auxiliary-share", "half"], "exact decimal"),
    ],
)
def test_wrong_options_are_refused(dpspin, corpus, tmp_path, arguments, words):
    run = dpspin("corpus", "universe", corpus, *OPTIONS, *arguments, "--out", tmp_path / "out")
    assert run.code == 2
    assert words in run.err
    assert not (tmp_path / "out").exists()


def test_a_corpus_without_labels_gives_no_universe(dpspin, tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"id":"a","text":"words"}\n')
    run = dpspin(
        "corpus", "universe", path, *OPTIONS, "--size", 5, "--split-key", "long-enough", "--out", tmp_path / "o"
    )
    assert run.code == 2
    assert run.err.count("\n") == 1


TABLE = b'\xef\xbb\xbfComplaint ID,Product,sub_issue,Consumer complaint narrative\r\n7,Card,,"one, two"\r\n8,Loan,,\r\n'
COLUMNS = ["--id-field", "Complaint ID", "--text-field", "Consumer complaint narrative"]
RENAMED = [
    *COLUMNS,
    "--rename",
    "Complaint ID=id",
    "--rename",
    "Consumer complaint narrative=text",
    "--keep",
    "Product",
]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(TABLE)
    return path


def test_a_conversion_writes_the_corpus_and_its_report_for_the_owner_alone(dpspin, table, tmp_path):
    out = tmp_path / "out.jsonl"
    run = dpspin("corpus", "convert", table, "--to", out, *RENAMED, "--drop-empty-text")
    assert (run.code, run.err) == (0, "")
    assert out.read_bytes() == b'{"Product":"Card","id":"7","text":"one, two"}\n'
    report = json.loads((tmp_path / "out.jsonl.report.json").read_bytes())
    assert report["dropped"] == [{"reason": "Consumer complaint narrative is empty", "count": 1, "rows": [[2, 2]]}]
    assert report["source"]["encoding"] == "UTF-8 with a byte order mark"
    assert "1 of 2 rows" in run.out
    assert "1 left out" in run.out
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("out*")} == {0o600}


def test_what_was_converted_is_a_corpus_for_the_other_commands(dpspin, corpus, tmp_path):
    packed, out = tmp_path / "packed", tmp_path / "out.jsonl"
    packed.write_bytes(gzip.compress(corpus.read_bytes()))
    keep = [word for name in ("product", "issue", "sub_issue") for word in ("--keep", name)]
    fields = ["--id-field", "id", "--text-field", "text", "--user-field", "user", *keep]
    assert dpspin("corpus", "convert", packed, "--to", out, *fields).code == 0
    before = [json.loads(line) for line in corpus.read_text().splitlines()]
    assert [json.loads(line) for line in out.read_text().splitlines()] == before
    build = ["--size", 60, "--split-key", "long-enough"]
    for source, folder in ((corpus, "one"), (out, "two")):
        assert dpspin("corpus", "universe", source, *OPTIONS, *build, "--out", tmp_path / folder).code == 0
    for name in ("universe.json", "weights.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.parametrize(("data", "words"), [
    (b"id,text\nx,Zanzi\ny,Zanzi,bar\n", "line 3: 3 cells"),
    (b'{"id":"x","text":"Zanzi"}\n{"id":7,"text":"Zanzi"}\n', "line 2, id: a number"),
    (b"id,text\nx,Zanzi", "without a line feed"),
    (b"id,words\nx,Zanzi\n", "no field 'text'"),
    (b"", "empty"),
])  # fmt: skip
def test_a_refusal_is_one_line_and_leaves_nothing_behind(dpspin, tmp_path, data, words):
    path, out = tmp_path / "in", tmp_path / "out"
    path.write_bytes(data)
    run = dpspin("corpus", "convert", path, "--to", out, "--id-field", "id", "--text-field", "text")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert words in run.err
    assert f"{path}" in run.err
    assert "Zanzi" not in run.err
    assert [entry.name for entry in tmp_path.iterdir() if entry.name != "state"] == ["in"]


@pytest.mark.parametrize("taken", ["out", "out.report.json"])
def test_nothing_is_overwritten(dpspin, table, tmp_path, taken):
    (tmp_path / taken).write_text("mine")
    run = dpspin("corpus", "convert", table, "--to", tmp_path / "out", *COLUMNS)
    assert run.code == 2
    assert f"{taken}: exists already" in run.err
    assert (tmp_path / taken).read_text() == "mine"
    assert dpspin("corpus", "convert", table, "--to", table, *COLUMNS).code == 2
    assert table.read_bytes() == TABLE


def test_a_full_disk_leaves_neither_file(dpspin, table, tmp_path, monkeypatch):
    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    run = dpspin("corpus", "convert", table, "--to", tmp_path / "out", *COLUMNS)
    monkeypatch.undo()
    assert run.code == 2
    assert "cannot be written (No space left on device)" in run.err
    assert [entry.name for entry in tmp_path.iterdir() if entry.name != "state"] == ["table.csv"]
    assert os.fsync is not full


@pytest.mark.parametrize(("options", "words"), [
    (["--rename", "Complaint ID"], "is not old=new"),
    (["--rename", "=id"], "is not old=new"),
    (["--rename", "Other=id"], "to be renamed, but not to be written"),
    (["--keep", "Complaint ID"], "asked for twice"),
])  # fmt: skip
def test_wrong_options_of_a_conversion_are_refused(dpspin, table, tmp_path, options, words):
    run = dpspin("corpus", "convert", table, "--to", tmp_path / "out", *COLUMNS, *options)
    assert run.code == 2
    assert words in run.err
    assert not (tmp_path / "out").exists()


def test_an_inspection_says_what_was_found_and_for_whom(dpspin, table):
    run = dpspin("corpus", "inspect", table)
    assert (run.code, run.err) == (0, "")
    words = (
        "curator only",
        "byte order mark",
        "crlf",
        "Complaint ID",
        "rows with an id seen before",
        "Product",
        "sub_issue",
    )
    assert not [word for word in words if word not in run.out]
    assert "one, two" not in run.out
    tree = json.loads(dpspin("corpus", "inspect", table, "--json", "--text-field", "Product").out)
    assert tree["source"]["line_ends"] == {"crlf": 3, "lf": 0, "none": 0}
    assert tree["roles"]["text"]["field"] == "Product"
    assert tree["roles"]["id"]["field"] == "Complaint ID"


def test_an_inspection_of_unusual_names_asks_for_them_and_markup_is_shown_as_it_is(dpspin, tmp_path):
    path = tmp_path / "odd.jsonl"
    path.write_text('{"[red]a[/red]":"x"}\n')
    run = dpspin("corpus", "inspect", path)
    assert run.code == 0
    assert "[red]a[/red]" in run.out
    assert "--id-field" in run.out
    assert "--text-field" in run.out
    broken = dpspin("corpus", "inspect", path, "--id-field", "nope")
    assert (broken.code, broken.err.count("\n")) == (2, 1)
