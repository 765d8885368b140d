"""Options of an audit: progress on disk, and findings that a team has answered for."""

import jsonschema
import pytest

from dpspin import canonical
from dpspin_audits import depths, evidence
from dpspin_audits.distribution import checkpoint

pytestmark = pytest.mark.usefixtures("brief")

WAIVERS = """schema: dpspin-waivers/1
waivers:
  - {{check: {check}, reason: read by nobody, approver: A. Reviewer, expires: "{expires}"}}
"""
FAULTY = ("--impl", "py:dpspin_audits.zoo.count_printed:subject")


def tree_of(out):
    return canonical.loads((out / "evidence.json").read_bytes(), "evidence.json")


def test_an_audit_goes_on_from_its_progress_and_takes_its_seed(dpspin, tmp_path, only, small_folder, monkeypatch):
    monkeypatch.setattr(checkpoint, "SOURCES", ())  # whoever edits a file meanwhile has another program
    only("distribution.ideal")
    kept, one, two = tmp_path / "kept", tmp_path / "one", tmp_path / "two"
    assert dpspin("audit", small_folder, "--out", one, "--checkpoint", kept, "--seed", "5e1f").code == 0
    made = sorted(path.name for path in kept.iterdir())
    assert "audit.json" in made
    (kept / made[1]).unlink()  # as if it had been killed before
    assert dpspin("audit", small_folder, "--out", two, "--checkpoint", kept, "--seed", "5e1f").code == 0
    assert sorted(path.name for path in kept.iterdir()) == made
    assert (one / "evidence.json").read_bytes() == (two / "evidence.json").read_bytes()
    run = dpspin("audit", small_folder, "--out", two, "--checkpoint", kept, "--seed", "00")
    assert run.code == 2
    assert "belongs to another audit (seed differs)" in run.err
    (kept / made[1]).write_bytes(b"")
    run = dpspin("audit", small_folder, "--out", two, "--checkpoint", kept)  # the seed is that of the folder
    assert run.code == 5
    assert "remove this file" in run.err


def test_a_finding_is_waived_until_a_day_and_the_verdict_stays(dpspin, tmp_path, only, small_folder):
    only("canary", "hygiene")
    run = dpspin("audit", small_folder, *FAULTY, "--out", tmp_path / "out")
    failing = {check["id"] for check in tree_of(tmp_path / "out")["checks"] if check["status"] == "fail"}
    assert run.code == 1
    assert "canary" in failing
    (tmp_path / "w.yaml").write_text(WAIVERS.format(check="canary", expires="9999-12-31"))
    (tmp_path / "old.yaml").write_text(WAIVERS.format(check="canary", expires="2020-12-31"))
    known = tmp_path / "out" / "evidence.json"
    kept = tmp_path / "known.json"
    kept.write_bytes(known.read_bytes())
    terms = ("--waivers", tmp_path / "w.yaml", "--baseline", kept, "--out", tmp_path / "out")
    run = dpspin("audit", small_folder, *FAULTY, *terms)
    tree = tree_of(tmp_path / "out")
    jsonschema.validate(tree, evidence.schema())
    assert (run.code, tree["verdict"], tree["gate"]["verdict"]) == (0, "fail", "pass")
    assert set(tree["gate"]["known"]) == failing
    assert "waiver of canary, in force: read by nobody (A. Reviewer, until 9999-12-31)" in " ".join(run.out.split())
    assert "known finding of the baseline: canary" in run.out
    assert "Waiver of" in (tmp_path / "out" / "report.html").read_text()
    run = dpspin("audit", small_folder, *FAULTY, "--waivers", tmp_path / "old.yaml", "--out", tmp_path / "out")
    assert (run.code, tree_of(tmp_path / "out")["gate"]["verdict"]) == (1, "fail")
    assert tree_of(tmp_path / "out")["gate"]["waivers"][0]["state"] == "expired"


@pytest.mark.parametrize(
    ("option", "data", "words"),
    [
        ("--waivers", "waivers: []\n", "schema"),
        ("--baseline", "[]\n", "not an evidence file"),
    ],
)
def test_what_cannot_be_used_is_exit_2_before_anything_runs(dpspin, tmp_path, option, data, words):
    (tmp_path / "file").write_text(data)
    run = dpspin("audit", option, tmp_path / "file", "--out", tmp_path / "out")
    assert run.code == 2
    assert words in run.err
    assert not (tmp_path / "out").exists()


def test_the_command_that_repeats_an_audit_has_its_depth_and_level(dpspin, tmp_path, only, small_folder, monkeypatch):
    only("locality", "support")
    monkeypatch.setitem(depths.DEPTHS, "standard", depths.DEPTHS["smoke"]._replace(further=depths.FURTHER))
    assert dpspin("audit", small_folder, "--depth", "standard", "--alpha", "0.01", "--out", tmp_path / "out").code == 0
    checks = tree_of(tmp_path / "out")["checks"]
    assert "--alpha 0.01 --depth standard" in checks[0]["reproduce"]
    assert {check["id"] for check in checks if check["required"]} > {"locality", "support", *evidence.SMOKE}
