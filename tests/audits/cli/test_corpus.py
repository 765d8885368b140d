"""`dpspin corpus universe`: the public files of a deployment, from auxiliary records alone."""

import json

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
