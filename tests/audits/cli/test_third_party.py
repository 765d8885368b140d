"""Every command of docs/third-party.md does what the page says."""

import json
import re
import shlex
from pathlib import Path

import pytest

from dpspin_audits.cli import audit
from dpspin_audits.distribution.trials import Effort

pytestmark = pytest.mark.usefixtures("brief", "here")

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "third-party.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    dpspin (.+)$", PAGE, re.MULTILINE)
SURE = ["--alpha", "1e-6"]
"""False alarms: the samples draw from the system."""


@pytest.fixture
def here(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_the_page_shows_two_audits_and_two_runs_of_vectors():
    assert [command.split()[0] for command in COMMANDS] == ["audit", "audit", "conform", "conform"]


def checks_of(folder):
    return {check["id"]: check for check in json.loads((folder / "evidence.json").read_bytes())["checks"]}


def shorten(monkeypatch, **efforts):
    monkeypatch.setitem(audit.depths.DEPTHS, "smoke", audit.depths.DEPTHS["smoke"]._replace(**efforts))


def test_the_first_audit_passes(dpspin, tmp_path, monkeypatch):
    shorten(monkeypatch, sampled=Effort(pilot=128, training=800, testing=1600, searched=50))
    run = dpspin(*shlex.split(COMMANDS[0]), *SURE, "--out", tmp_path / "out")
    assert run.code == 0, run.out
    assert "verdict: pass" in run.out
    assert checks_of(tmp_path / "out")["conformance"]["figures"]["passed"] > 200


def test_three_requests_are_enough(dpspin, tmp_path, monkeypatch):
    shorten(monkeypatch, released=Effort(pilot=0, training=60, testing=140))
    run = dpspin(*shlex.split(COMMANDS[1]), *SURE, "--out", tmp_path / "out")
    found = checks_of(tmp_path / "out")
    assert not [check for check in found.values() if check["status"] in ("fail", "error")]
    assert all(found[name]["status"] == "pass" for name in ("rng", "hygiene", "contract", "errors", "conduct"))
    assert found["conformance"]["status"] == "not_run"
    assert found["sensitivity"]["status"] == "inconclusive"
    assert run.code == 3, "as the page says"


def test_the_vectors_run_as_shown(dpspin, tmp_path, monkeypatch):
    node, python = (shlex.split(command) for command in COMMANDS[2:])
    assert node[2] == "cmd:node docs/examples/subjects/node/subject.mjs", "tested beside the other sample"
    place = python.index("--junit") + 1
    python[place] = tmp_path / python[place]
    Path(python[place]).parent.mkdir()
    run = dpspin(*python)
    assert run.code == 0, run.out
    assert re.fullmatch(r"\d+ pass", run.out.splitlines()[-1])
    assert Path(python[place]).read_bytes().startswith(b"<?xml")


def test_files_that_the_page_links_are_there():
    linked = [link for link in re.findall(r"\]\(([^)#]+)\)", PAGE) if "://" not in link]
    assert len(linked) >= 6
    assert [link for link in linked if not (ROOT / "docs" / link).is_file()] == []
