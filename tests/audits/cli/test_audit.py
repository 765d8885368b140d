"""`dpspin audit`: evidence, report and exit code, repeatable from its seed."""

import json
import os
import stat
from pathlib import Path

import jsonschema
import pytest

from dpspin import canonical, pipeline
from dpspin.corpus import embedded
from dpspin_audits import evidence
from dpspin_audits.cli import audit
from dpspin_audits.cli.audit import modes_of
from dpspin_proofs import certificate, run
from dpspin_proofs.register import register, theories

pytestmark = pytest.mark.usefixtures("brief")

FILES = ["certificate.json", "evidence.json", "release", "report.html", "timings.json"]
GOLDEN = Path(__file__).parents[2] / "golden"
STATISTICAL = {"distribution.ideal", "distribution.bits", "sensitivity", "canary"}


def tree_of(folder):
    return canonical.loads((folder / "evidence.json").read_bytes(), "evidence.json")


def test_the_embedded_deployment_passes_and_leaves_evidence_report_and_release(dpspin, tmp_path, state):
    out = tmp_path / "out"
    run = dpspin("audit", "--out", out)
    assert (run.code, run.err) == (0, "")
    assert "verdict: pass" in run.out
    assert sorted(entry.name for entry in out.iterdir()) == FILES
    tree = tree_of(out)
    jsonschema.validate(tree, evidence.schema())
    assert {check["status"] for check in tree["checks"] if check["required"]} == {"pass"}
    assert tree["stamp"] is None
    listed = {row["name"]: row["sha256"] for row in tree["exposures"]}
    for path in (out / "release").iterdir():
        assert listed[path.name] == canonical.digest(path.read_bytes()), path.name
    assert not state.exists(), "an audit charges nothing"
    timings = json.loads((out / "timings.json").read_bytes())
    assert timings["release"]["runs"] == 40
    assert 0 <= float(timings["release"]["auc"]) <= 1
    said = (out / "evidence.json").read_text() + (out / "report.html").read_text()
    assert not any(word in said for word in ("microseconds", "milliseconds")), "running times stand in timings alone"


def test_the_same_seed_gives_the_same_bytes_for_any_number_of_workers_and_a_stamp(dpspin, tmp_path, small_folder):
    for out, workers in (("a", 1), ("b", 2)):
        terms = ("--out", tmp_path / out, "--seed", "5e1f", "--workers", workers)
        assert dpspin("audit", small_folder, *terms).code == 0
    for name in ("evidence.json", "report.html", "release/plan.json", "release/summary.txt"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name
    assert "NON-PRIVATE" in tree_of(tmp_path / "a")["stamp"]
    assert "NON-PRIVATE" in (tmp_path / "a" / "report.html").read_text()


def test_a_faulty_subject_is_a_finding_with_exit_code_1(dpspin, tmp_path, only, small_folder):
    only("hygiene")
    spec = "py:dpspin_audits.zoo.beside_plan:subject"
    run = dpspin("audit", small_folder, "--impl", spec, "--out", tmp_path / "out")
    assert run.code == 1
    assert "verdict: fail" in run.out
    failed = {check["id"]: check for check in tree_of(tmp_path / "out")["checks"] if check["status"] == "fail"}
    assert "hygiene" in failed
    assert failed["hygiene"]["remedy"]


LOUD = """
import os
print("imported")
from dpspin_audits.reference_subject import ReferenceSubject
class Loud(ReferenceSubject):
    def release(self, records):
        print("released")
        os.write(1, b"to the descriptor")
        return super().release(records)
"""


def test_json_prints_the_evidence_itself_whatever_a_subject_prints(dpspin, tmp_path, small_folder, monkeypatch):
    (tmp_path / "loud.py").write_text(LOUD)
    monkeypatch.chdir(tmp_path)
    run = dpspin("audit", small_folder, "--json", "--impl", "py:loud:Loud", "--out", "out")
    evidence_bytes = (tmp_path / "out" / "evidence.json").read_bytes()
    assert json.loads(run.out) == json.loads(evidence_bytes)
    found = {check["id"]: check for check in json.loads(run.out)["checks"]}
    assert (found["conduct"]["status"], found["conduct"]["figures"]["printed"]) == ("pass", 29)
    assert found["errors"]["status"] == "pass"


def test_modes_are_those_of_the_files_themselves(tmp_path):
    (tmp_path / "plan.json").write_bytes(b"{}")
    (tmp_path / "plan.json").chmod(0o755)
    (tmp_path / "link").symlink_to("plan.json")
    (tmp_path / "folder").mkdir()
    found = modes_of(tmp_path)
    assert {name: stat.filemode(mode)[0] for name, mode in found.items()} == {"plan.json": "-", "link": "l"}
    assert stat.S_IMODE(found["plan.json"]) == 0o755
    assert modes_of(None) == {}


SUBJECT = """
from dpspin_audits.reference_subject import ReferenceSubject
class Mine(ReferenceSubject):
    name = "mine"
    def release(self, records):
        raise RuntimeError("secret of a record")
"""


def test_a_callers_subject_that_breaks_off_is_exit_4_and_is_not_quoted(dpspin, tmp_path, small_folder, monkeypatch):
    (tmp_path / "my_subject.py").write_text(SUBJECT)
    monkeypatch.chdir(tmp_path)
    run = dpspin("audit", small_folder, "--impl", "py:my_subject:Mine", "--out", "out")
    assert run.code == 4, run
    assert "secret" not in run.out + run.err + (tmp_path / "out" / "evidence.json").read_text()


def test_no_answer_is_exit_3_unless_only_findings_count(dpspin, tmp_path, only, small_folder, monkeypatch):
    monkeypatch.setattr(evidence, "verdict", lambda *_: "inconclusive")
    only()
    assert dpspin("audit", small_folder, "--out", tmp_path / "out").code == 3
    assert dpspin("audit", small_folder, "--fail-on", "fail", "--out", tmp_path / "out").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--impl", "nonsense"], "not the address of a subject"),
        (["--impl", "py:no_such_module:x"], "cannot be imported"),
        (["--impl", "py:json:dumps"], "made no subject"),
        (["--seed", "xyz"], "hexadecimal"),
        (["--alpha", "2"], "probability"),
        (["nothing.yaml"], "cannot be read"),
    ],
)
def test_wrong_arguments_are_exit_2_and_leave_nothing(dpspin, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    run = dpspin("audit", *arguments, "--out", "out")
    assert run.code == 2
    assert words in run.err
    assert list(tmp_path.iterdir()) == []


def test_results_are_replaced_but_nothing_foreign_is(dpspin, tmp_path, only, small_folder):
    only()
    out = tmp_path / "out"
    assert dpspin("audit", small_folder, "--out", out, "--seed", "5e1f").code == 0
    first = (out / "evidence.json").read_bytes()
    assert dpspin("audit", small_folder, "--out", out).code == 0
    assert (out / "evidence.json").read_bytes() != first
    (out / "notes.txt").write_text("mine")
    run = dpspin("audit", small_folder, "--out", out)
    assert run.code == 2
    assert "notes.txt" in run.err
    assert (out / "notes.txt").read_text() == "mine"


def test_a_given_bundle_is_judged_and_what_lies_beside_it_is_a_finding(dpspin, tmp_path, only):
    only("hygiene", "contract")
    assert dpspin("release", "--out", tmp_path / "mine").code == 0
    assert dpspin("audit", "--bundle", tmp_path / "mine", "--out", tmp_path / "out").code == 0
    assert [row["charge"] for row in tree_of(tmp_path / "out")["exposures"] if row["name"] == "plan.json"] == ["0001"]
    (tmp_path / "mine" / "run_info.json").write_text("{}")
    run = dpspin("audit", "--bundle", tmp_path / "mine", "--out", tmp_path / "out")
    assert run.code == 1
    assert any("run_info.json" in (check["reason"] or "") for check in tree_of(tmp_path / "out")["checks"])


def settled(tree):
    """What in the evidence of a deployment follows from public parameters alone, on every machine."""
    opinion = tree["accounting"]["second_opinion"]
    accounting = tree["accounting"] | {"measured": None, "second_opinion": opinion and opinion["tool"]}
    checks = [
        {key: check[key] for key in ("id", "required", "status", "strength")}
        | ({} if check["id"] in STATISTICAL else {"summary": check["summary"]})
        for check in tree["checks"]
    ]
    kept = {key: tree[key] for key in ("schema", "verdict", "deployment", "claim", "utility", "not_assessed")}
    return kept | {"accounting": accounting, "checks": checks, "exposures": [row["name"] for row in tree["exposures"]]}


@pytest.mark.parametrize("name", embedded.EXAMPLES)
def test_every_worked_example_passes_and_its_evidence_is_the_golden_one(dpspin, tmp_path, published, monkeypatch, name):
    monkeypatch.setattr(pipeline, "publish", published)
    monkeypatch.setattr(audit, "timed", lambda *_: {})  # no part of the evidence
    folder, file = embedded.EXAMPLES[name]
    path = Path(embedded.__file__).parents[1] / "deployments" / folder / file
    run = dpspin("audit", path, "--seed", "5e1f", "--out", tmp_path / "out")
    assert run.code == 0, run.out
    found = canonical.dumps(settled(tree_of(tmp_path / "out")))
    golden = GOLDEN / f"evidence-{name}.json"
    if os.environ.get("DPSPIN_REGENERATE"):
        golden.write_bytes(found)
    assert found == golden.read_bytes(), "if this change is meant: DPSPIN_REGENERATE=1 python -m pytest -k golden_one"


def changed(**change):
    """A certificate of proofs about what is installed, with a change to what it says of the first theorem."""
    sources = {name: canonical.digest(text.encode()) for name, text in theories().items()}
    axioms = {theorem.name: theorem.axioms for theorem in register().theorems}
    outcome = run.Outcome("8.16.1", canonical.digest(run.running_kernel()), sources, axioms, ())
    tree = json.loads(certificate.written(outcome, register()))
    return json.dumps(tree | {"theorems": [tree["theorems"][0] | change, *tree["theorems"][1:]]})


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("{}", 2, "is not a certificate of proofs"),
        (changed(says="Every release is differentially private."), 5, "other words than the register"),
        (changed(axioms=["classic"]), 5, "rests on classic"),
    ],
    ids=["none", "words", "axiom"],
)
def test_a_certificate_of_proofs_that_does_not_hold_gives_no_audit(dpspin, tmp_path, text, code, said):
    (tmp_path / "proofs.json").write_text(text)
    done = dpspin("audit", "--proofs", tmp_path / "proofs.json", "--out", tmp_path / "out")
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert not (tmp_path / "out").exists()
