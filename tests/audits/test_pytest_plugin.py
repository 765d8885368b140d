"""The plugin inside a suite of somebody else: a correct subject passes, a faulty one fails with its checks named."""

import subprocess
import sys

import pytest

from dpspin.corpus import representation

SUITE = """
from dpspin_audits.distribution.trials import Effort

LITTLE = Effort(pilot=256, training=2000, testing=4000, searched=50)

def test_keeps_its_claim(dpspin_audit):
    evidence = dpspin_audit("py:dpspin_audits.zoo.{module}:subject", {deployment}, seed=bytes(16), effort=LITTLE)
    assert evidence["schema"] == "dpspin-evidence/1"
"""


def run(folder, module, deployment):
    (folder / "test_ours.py").write_text(SUITE.format(module=module, deployment=deployment))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)


@pytest.fixture
def small_files(setting, tmp_path):
    """A folder with the deployment of twelve atoms."""
    (tmp_path / "universe.json").write_bytes(setting.universe_bytes)
    (tmp_path / "weights.json").write_bytes(representation.encode(setting.weights))
    (tmp_path / "deployment.yaml").write_bytes(setting.deployment_bytes)
    return tmp_path


@pytest.mark.parametrize(
    ("module", "deployment", "code", "words"),
    [("correct", None, 0, "1 passed"), ("not_normalised", "deployment.yaml", 1, "verdict fail\n")],
    ids=["the embedded deployment", "one of files"],
)
def test_a_suite_gates_on_the_verdict(small_files, module, deployment, code, words):
    done = run(small_files, module, deployment and repr(deployment))
    assert done.returncode == code, done.stdout + done.stderr
    assert words in done.stdout
    assert ("distribution.ideal: fail" in done.stdout) == bool(code)
