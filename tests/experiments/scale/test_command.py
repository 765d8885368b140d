"""The command: files of a release's curator, open to their owner alone, or one line and nothing left behind."""

import stat
import subprocess
import sys
from importlib.resources import files as resources
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from dpspin import pipeline
from dpspin.corpus import embedded
from dpspin.errors import UsageError
from dpspin.pipeline import Released
from dpspin_experiments.cli import experiment
from dpspin_experiments.scale import command

FOLDERS = resources("dpspin") / "deployments"
DECLARED = {"single": (embedded.RECORD, "deployment.yaml"), "users": (embedded.USER, "gaussian-users.yaml")}


def call(*arguments):
    return CliRunner().invoke(experiment, ["sketch", *map(str, arguments)], catch_exceptions=False)


def declared(level):
    folder, name = DECLARED[level]
    return FOLDERS / folder / name


@pytest.fixture
def corpus(small, tmp_path):
    small.laid_out(tmp_path / "corpus", [small.rows[:50], small.rows[50:90], small.rows[90:]])
    return tmp_path / "corpus"


@pytest.mark.parametrize(
    ("level", "options"),
    [("single", []), ("users", []), ("users", ["--workers", "2"]), ("users", ["--cluster", "local"])],
)
def test_the_files_are_those_of_a_releases_curator(small, corpus, level, options, request):
    if "--cluster" in options:
        pytest.importorskip("distributed", reason="Dask is not installed (extra scale)")
    setting, tmp_path = request.getfixturevalue(level), corpus.parent
    found = call(declared(level), corpus, "--out", tmp_path / "out", *options)
    assert found.exit_code == 0
    assert found.output.startswith("curator only: NON-PRIVATE")
    assert found.stderr == ""
    exact, counts = small.by_reference(setting, small.rows)
    wanted = pipeline.curator_files(Released({}, exact, counts), setting)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == wanted
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "out").iterdir()} == {0o600}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus", "out"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["none", "--out", "new"], "none: cannot be read"),
        (["corpus", "--out", "corpus"], "exists already"),
        (["corpus", "corpus/part-0.jsonl", "--out", "new"], "the same file as"),
        (["corpus", "--scratch", "none", "--out", "new"], "none: cannot be written"),
        (["corpus", "--cluster", "tcp://127.0.0.1:1", "--workers", "2", "--out", "new"], "--workers: without effect"),
        (["bad.jsonl", "--out", "new"], "bad.jsonl: line 2: not JSON"),
        (["bad.jsonl", "--out", "new", "--workers", "2"], "bad.jsonl: line 2: not JSON"),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_nothing(arguments, problem, corpus, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bad.jsonl").write_text("{}\n{secret\n")
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(UsageError, match=problem) as found:
        call(declared("users"), *arguments)
    assert "secret" not in str(found.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_the_speed_is_that_of_the_whole_run():
    assert command._Speed().render(SimpleNamespace(completed=3000, elapsed=2.0)).plain == "1,500 records/s"
    assert command._Speed().render(SimpleNamespace(completed=0, elapsed=None)).plain == ""


def test_the_exit_code_of_a_refusal_is_two(tmp_path):
    asked = [
        Path(sys.executable).with_name("dpspin"),
        "experiment",
        "sketch",
        declared("single"),
        "none",
        "--out",
        "x",
    ]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "dpspin: none: cannot be read (No such file or directory); name a readable file\n"
