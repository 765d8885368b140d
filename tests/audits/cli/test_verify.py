"""`dpspin verify`: exit codes, tables and JSON for bundles, lines for batches."""

import io
import json
import sys
from itertools import islice

import pytest

from dpspin import pipeline, plan
from dpspin.corpus import embedded
from dpspin.curator.noise import SeededBits


@pytest.fixture(scope="module")
def bundle():
    known = embedded.files()
    setting = pipeline.load(known["deployment.yaml"], "d", known.__getitem__)
    return pipeline.release(setting, islice(embedded.corpus(), 300), SeededBits(b"v"), "0001").bundle


@pytest.fixture
def place(tmp_path, bundle):
    folder = tmp_path / "release"
    folder.mkdir()
    for name, data in bundle.items():
        (folder / name).write_bytes(data)
    return folder


def test_an_untouched_bundle_passes(dpspin, place):
    run = dpspin("verify", place)
    assert (run.code, run.err) == (0, "")
    assert "verdict: pass" in run.out
    assert "charge 0001" in run.out
    assert plan.SEEDED in run.out.replace("\n", " ")


def test_a_release_of_the_command_line_passes(dpspin, tmp_path):
    assert dpspin("release", "--out", tmp_path / "out").code == 0
    assert dpspin("verify", tmp_path / "out").code == 0


def test_json_has_objects_and_findings(dpspin, place, bundle):
    tree = json.loads(dpspin("verify", place, "--json").out)
    assert (tree["schema"], tree["verdict"], tree["findings"]) == ("dpspin-verification/1", "pass", [])
    assert [row["covered_by"] for row in tree["objects"][:3]] == ["declared", "declared", "charge 0001"]
    (place / "metrics.json").write_bytes(b"{}")
    run = dpspin("verify", place, "--json")
    (finding,) = json.loads(run.out)["findings"]
    assert (run.code, finding["file"], finding["rule"]) == (1, "metrics.json", "unknown file")


@pytest.mark.parametrize(("where", "old", "new"), [
    ("summary.txt:", b"rank 1", b"rank 2"), ("plan.json:1", b'"rank":1', b'"rank":7'),
    ("transcript.jsonl:2", b'"order":2', b'"order":9'),
])  # fmt: skip
def test_other_bytes_are_exit_code_5_with_file_and_line(dpspin, place, where, old, new):
    name = where.partition(":")[0]
    (place / name).write_bytes((place / name).read_bytes().replace(old, new, 1))
    run = dpspin("verify", place)
    assert (run.code, run.err) == (5, "")
    assert where in run.out
    assert "verdict: fail" in run.out


def test_a_mode_or_a_file_more_is_exit_code_1(dpspin, place):
    (place / "plan.json").chmod(0o755)
    run = dpspin("verify", place)
    assert (run.code, "mode 0755" in run.out) == (1, True)


def test_the_declared_deployment_may_be_kept_elsewhere(dpspin, place, tmp_path, bundle):
    own = tmp_path / "declared.yaml"
    own.write_bytes(bundle["deployment.yaml"])
    assert dpspin("verify", place, "--deployment", own).code == 0
    own.write_bytes(bundle["deployment.yaml"] + b"\n")
    assert dpspin("verify", place, "--deployment", own).code == 5


def test_what_is_no_bundle_is_exit_code_2(dpspin, tmp_path):
    for folder in (tmp_path, tmp_path / "nowhere"):
        run = dpspin("verify", folder)
        assert (run.code, run.out) == (2, "")
        assert run.err.startswith("dpspin: ")


@pytest.mark.parametrize("arguments", [(), (".", "--batch"), ("--batch", "--deployment", "x")])
def test_either_a_bundle_or_a_batch(dpspin, arguments):
    assert dpspin("verify", *arguments).code == 2


class Stdin:
    def __init__(self, data):
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize(("more", "code"), [(b"", 0), (b"no JSON\n", 2), (b'{"case_id":1}\n', 0)])
def test_a_batch_is_answered_line_by_line(dpspin, monkeypatch, bundle, more, code):
    texts = (bundle["summary.txt"].decode(), "Everybody complains.")
    cases = [
        {"case_id": str(at), "plan": json.loads(bundle["plan.json"]), "text": text} for at, text in enumerate(texts)
    ]
    monkeypatch.setattr(sys, "stdin", Stdin(b"".join(json.dumps(case).encode() + b"\n" for case in cases) + more))
    run = dpspin("verify", "--batch")
    assert (run.code, run.err) == (code, "")
    answers = [json.loads(line) for line in run.out.splitlines()]
    assert [(answer["case_id"], answer["accept"]) for answer in answers[:2]] == [("0", True), ("1", False)]
    assert len(answers) == 2 + bool(more)


def test_float_masses_are_counted_beside_the_answers(dpspin, monkeypatch, bundle):
    tree = {key: value for key, value in json.loads(bundle["plan.json"]).items() if key != "schema"}
    first = tree["released"][0]
    first["noisy_mass"] = float(first["noisy_mass"]) + 1e-10
    lines = [
        json.dumps({"case_id": at, "plan": tree, "text": "Everybody complains."}).encode() + b"\n" for at in (1, 2)
    ]
    monkeypatch.setattr(sys, "stdin", Stdin(b"".join(lines)))
    run = dpspin("verify", "--batch")
    assert run.code == 0
    assert [set(json.loads(line)) for line in run.out.splitlines()] == [{"case_id", "accept", "violations"}] * 2
    assert run.err.startswith("note: 2 cases have a plan with float masses on no lattice")
    assert run.err.count("\n") == 1


def test_a_bundle_of_another_implementation_is_accounted_for(dpspin, tmp_path, bundle):
    tree = {key: value for key, value in json.loads(bundle["plan.json"]).items() if key != "schema"}
    (tmp_path / "private_plan.json").write_text(json.dumps(tree))
    (tmp_path / "summary.txt").write_bytes(bundle["summary.txt"])
    run = dpspin("verify", tmp_path, "--json")
    assert run.code == 0
    assert {row["covered_by"] for row in json.loads(run.out)["objects"]} == {
        "declared", "derived", "charge: epsilon 1, delta 0",
    }  # fmt: skip
    (tmp_path / "config.yaml").write_text("epsilon: 1\nseed: 7\n")
    run = dpspin("verify", tmp_path)
    assert run.code == 1
    assert "config.yaml:2" in run.out
    assert "unaccounted" in run.out


def test_a_deployment_is_for_bundles_of_this_project(dpspin, tmp_path, bundle):
    (tmp_path / "config.yaml").write_text("epsilon: 1\n")
    (tmp_path / "d.yaml").write_bytes(bundle["deployment.yaml"])
    assert dpspin("verify", tmp_path, "--deployment", tmp_path / "d.yaml").code == 2
