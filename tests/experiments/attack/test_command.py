"""The command: a table, JSON, a page and a figure from one small run."""

import json

import pytest
from click.testing import CliRunner

from dpspin.errors import UsageError
from dpspin_experiments.attack import command

SMALL = ["--trials", "10", "--crafted", "50"]


def run(*options):
    call = [*SMALL, *map(str, options)]
    return CliRunner().invoke(command.attack, call, catch_exceptions=False, standalone_mode=False)


def test_json_follows_from_the_seed_and_files_are_written(tmp_path):
    found = run("--json", "--page", tmp_path / "a.html", "--svg", tmp_path / "a.svg", "--seed", "aa")
    assert found.return_value == 0
    tree = json.loads(found.stdout)
    assert tree == json.loads(run("--json", "--seed", "aa").stdout)
    assert (tree["schema"], tree["seed"], tree["synthetic"]) == ("dpspin-attack/1", "aa", True)
    assert [row["release"] for row in tree["rows"]] == ["clusters", "plan"]
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").lstrip().startswith("<svg")


def test_the_table_is_printed():
    lines = run().stdout.splitlines()
    assert lines[0].split()[:3] == ["release", "crafted", "runs"]
    assert lines[2].startswith("plan with noise")


@pytest.mark.parametrize("wrong", ["0", "-1", "nan", "1/0", "2e9", "much"])
def test_an_epsilon_that_is_none_is_refused(wrong):
    with pytest.raises(UsageError, match="--epsilon"):
        command.loss(wrong)
    assert command.loss("1/2").as_integer_ratio() == (1, 2)


def test_a_refuted_claim_is_exit_code_one(rows, monkeypatch):
    wrong = rows[3]._replace(epsilon_at_least=1.5)
    monkeypatch.setattr(command, "demonstrate", lambda *_: [*rows, wrong])
    assert run().return_value == 1
