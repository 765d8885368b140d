"""Commands that pages tell readers to type run as they stand there, with the exit code that is stated beside them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EMBEDDED = ROOT / "reference" / "dpspin" / "deployments" / "synthetic-complaints"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"# exit code (\d)\s*$")
INSTALLS = re.compile(r"python3 -m venv|pip install")
BRIEF = """#!{python}
from types import SimpleNamespace
from dpspin_audits import depths
from dpspin_audits.cli import audit_options, main
from dpspin_audits.distribution.trials import Effort
little = Effort(pilot=512, training=4000, testing=8000, searched=100)
depths.DEPTHS["smoke"] = depths.DEPTHS["smoke"]._replace(sampled=little)
audit_options.secrets = SimpleNamespace(token_bytes=bytes)
if __name__ == "__main__":  # processes of the audit import it as well
    main.main()
"""
"""The command with fewer runs, and with one seed for all audits, so that no false alarm comes by chance."""


def commands(page):
    """Commands of a page in their order, each with the exit code that is stated."""
    for block in BLOCK.findall(page):
        for line in block.replace("\\\n", " ").splitlines():
            if line.strip() and not INSTALLS.search(line):
                stated = CODE.search(line)
                yield line, int(stated[1]) if stated else 0


@pytest.fixture(scope="module")
def brief(tmp_path_factory):
    """A folder with the command."""
    place = tmp_path_factory.mktemp("bin")
    (place / "dpspin").write_text(BRIEF.format(python=sys.executable))
    (place / "dpspin").chmod(0o755)
    return place


def run(line, folder, first):
    """A line of a page, as a reader types it; commands of a folder come first."""
    path = os.pathsep.join((str(first), str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {"PATH": path, "HOME": str(folder), "DPSPIN_STATE": str(folder / "state"), "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", line],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip


def wrong(page, folder, first):
    """Commands that end otherwise than the page says."""
    found = []
    for line, stated in commands(page):
        done = run(line, folder, first)
        if done.returncode != stated:
            found.append((line, stated, done.returncode, done.stderr[-600:]))
    return found


@pytest.mark.parametrize("name", ["tutorial.md", "audit.md"])
def test_a_page_can_be_typed(tmp_path, brief, name):
    shutil.copytree(EMBEDDED, tmp_path, dirs_exist_ok=True)
    policies = ROOT / "docs" / "examples"
    for policy in policies.glob("policy.yaml"):
        shutil.copy(policy, tmp_path)
    assert wrong((ROOT / "docs" / name).read_text(encoding="utf-8"), tmp_path, brief) == []


def test_a_command_that_ends_otherwise_is_found(tmp_path, brief):
    page = "```sh\ntrue\nfalse\nexit 3   # exit code 3\nexit 4   # exit code 3\npip install nothing\n```\n"
    assert [row[:3] for row in wrong(page, tmp_path, brief)] == [("false", 0, 1), ("exit 4   # exit code 3", 3, 4)]
