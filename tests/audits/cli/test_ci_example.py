"""The workflow of docs/examples/ci does what it says: its own shell lines run, and hold up what they should."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from dpspin.corpus import embedded
from dpspin_audits import files
from dpspin_audits.attest import keys
from dpspin_audits.cli.audit import RESULTS

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "docs" / "examples" / "ci"
SUBJECT = ROOT / "docs" / "examples" / "subjects" / "python"
FLOW = YAML(typ="safe", pure=True).load((EXAMPLE / "dpspin.yml").read_text(encoding="utf-8"))
STEPS = FLOW["jobs"]["audit"]["steps"]
PAGE = (ROOT / "docs" / "third-party.md").read_text(encoding="utf-8")
BRIEF = """#!{python}
from dpspin_audits import depths
from dpspin_audits.cli import main
from dpspin_audits.distribution.trials import Effort
little = Effort(pilot=128, training=800, testing=1600, searched=50)
depths.DEPTHS["smoke"] = depths.DEPTHS["smoke"]._replace(sampled=little)
if __name__ == "__main__":  # processes of the audit import it as well
    main.main()
"""
"""The command with fewer runs; false alarms stay at the workflow's 1e-6."""
KEY = keys.generate(None)
SECRETS = {"${{ secrets.DPSPIN_KEY }}": KEY.secret.decode()}


@pytest.fixture
def repository(tmp_path):
    """A team's repository: its program, its deployment and the files of the example."""
    shutil.copytree(SUBJECT, tmp_path / "subject", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(EXAMPLE, tmp_path / "dpspin")
    for name, data in embedded.files().items():
        (tmp_path / "dpspin" / name).write_bytes(data)
    (tmp_path / "dpspin" / "auditor.pub").write_bytes(KEY.public)
    (tmp_path / "temp").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "dpspin").write_text(BRIEF.format(python=sys.executable))
    (tmp_path / "bin" / "dpspin").chmod(0o755)
    return tmp_path


def evaluated(text, event):
    """A value of the workflow: `${{ github.event_name == 'X' && 'A' || 'B' }}`, a secret, or as it stands."""
    text = SECRETS.get(text, text)
    found = re.fullmatch(r"\$\{\{ github\.event_name == '(\w+)' && '(\w+)' \|\| '(\w+)' \}\}", text)
    return text if found is None else found[2] if found[1] == event else found[3]


def step(name):
    (found,) = (one for one in STEPS if one.get("name", "").startswith(name))
    return found


def shells():
    """Names of the steps with shell lines, but for the installation, as their first words in these tests."""
    names = [one["name"] for one in STEPS if "run" in one]
    return [next(word for word in ("Each", "The whole", "Findings", "Sign", "Hand on", "The suite") if
                 name.startswith(word)) for name in names if name != "Install"]  # fmt: skip


def run(repository, name, event="pull_request"):
    """One step as the runner would run it, `bash -e` with its environment."""
    path = os.pathsep.join((str(repository / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]))
    stated = FLOW["env"] | step(name).get("env", {})
    env = {key: evaluated(value, event) for key, value in stated.items()}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step(name)["run"]]
    terms = {"cwd": repository, "capture_output": True, "text": True, "timeout": 600}
    given = {"PATH": path, "RUNNER_TEMP": str(repository / "temp")}
    return subprocess.run(command, env=os.environ | given | env, check=False, **terms)


def edited(repository, name, old, new):
    place = repository / name
    text = place.read_text()
    assert text.count(old) == 1
    place.write_text(text.replace(old, new))


def test_every_step_passes_on_a_program_that_is_right(repository):
    made = {
        "Each": "conform.xml", "The whole": "audit/evidence.json", "Findings": "audit/report.sarif",
        "Sign": "audit/evidence.intoto.jsonl", "Hand on": "audit/junit.xml", "The suite": "suite.xml",
    }  # fmt: skip
    for name, kept in made.items():
        done = run(repository, name)
        assert done.returncode == 0, done.stdout + done.stderr
        assert (repository / "build" / kept).stat().st_size > 0
    assert list((repository / "temp").iterdir()) == []  # the key is gone
    assert shells() == list(made)
    files.check_free(repository / "build" / "audit", replace=RESULTS)  # the next audit may take its place


def test_a_wrong_step_is_held_up_with_its_vector_in_the_report(repository):
    edited(repository, "subject/subject.py", "positive = [max(value, 0) for", "positive = [value for")
    done = run(repository, "Each")
    assert done.returncode == 1
    report = (repository / "build" / "conform.xml").read_text()
    assert "<failure" in report
    assert "clip" in report


def test_half_the_noise_is_held_up_and_a_waiver_that_has_expired_too(repository):
    """One run: neither a waiver of the past nor one of another check accepts the finding."""
    edited(repository, "subject/subject.py", "laplace(self.scale * UNIT,", "laplace(self.scale * UNIT / 2,")
    past = '[{check: distribution.ideal, reason: r, approver: a, expires: "2020-01-01"}]'
    edited(repository, "dpspin/waivers.yaml", "\nwaivers: []", f"\nwaivers: {past}")
    done = run(repository, "The whole")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "distribution.ideal" in done.stdout
    assert "expired" in done.stdout
    assert run(repository, "Findings").returncode == 0
    (log,) = json.loads((repository / "build" / "audit" / "report.sarif").read_text())["runs"]
    levels = {result["ruleId"]: result["level"] for result in log["results"]}
    assert levels["distribution.ideal"] == "error"
    signed = run(repository, "Sign")
    assert "result FAILED" in signed.stdout, signed.stderr
    gate = run(repository, "Hand on")
    assert (gate.returncode, "distribution.ideal: pass, or a waiver in force" in gate.stderr) == (5, True), gate.stderr


def test_a_statement_by_another_key_is_not_handed_on(repository):
    """No audit is needed for it: the statement is looked at before the policy."""
    (repository / "build" / "audit").mkdir(parents=True)
    (repository / "build" / "audit" / "evidence.intoto.jsonl").write_text("{}\n")
    gate = run(repository, "Hand on")
    assert (gate.returncode, gate.stdout) == (5, ""), gate.stderr


def test_secrets_stay_with_the_steps_that_need_them():
    assert [one["name"] for one in STEPS if "secrets." in str(one)] == ["Sign what was found"]
    for name in ("Sign", "Hand on"):
        assert "github.event_name != 'pull_request'" in step(name)["if"]
    (upload,) = (one for one in STEPS if "upload-sarif" in one.get("uses", ""))
    assert upload["with"]["sarif_file"] == "build/audit/report.sarif"


def test_answers_are_asked_for_on_the_main_branch_alone():
    terms = step("The whole")["env"]
    assert {event: evaluated(terms["FAIL_ON"], event) for event in ("pull_request", "push", "schedule")} == {
        "pull_request": "fail", "push": "inconclusive", "schedule": "inconclusive",
    }  # fmt: skip
    assert (evaluated(terms["DEPTH"], "schedule"), evaluated(terms["DEPTH"], "push")) == ("standard", "smoke")


def test_what_is_installed_is_pinned_and_what_was_found_is_kept():
    assert step("Install")["run"] == "python -m pip install -r dpspin/requirements.txt"
    pinned = (EXAMPLE / "requirements.txt").read_text().splitlines()
    assert f"./dpspin/wheels/dpspin-{version('dpspin')}-py3-none-any.whl" in pinned
    assert step("Keep")["if"] == "${{ always() }}"
    assert step("Keep")["with"]["path"] == "build/"
    assert FLOW["permissions"] == {"contents": "read", "security-events": "write"}


def test_the_page_names_every_file_of_the_example():
    assert [one.name for one in EXAMPLE.iterdir() if f"examples/ci/{one.name}" not in PAGE] == []
