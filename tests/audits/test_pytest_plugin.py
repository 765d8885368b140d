"""The plugin inside a suite of somebody else: a correct subject passes, a faulty one fails with its checks named."""

import subprocess
import sys

import pytest

SUITE = """
from dpspin_audits.distribution.trials import Effort

LITTLE = Effort(pilot=256, training=2000, testing=4000, searched=50)

def test_keeps_its_claim(dpspin_audit):
    evidence = dpspin_audit("py:dpspin_audits.zoo.{module}:subject", seed=bytes(16), effort=LITTLE)
    assert evidence["schema"] == "dpspin-evidence/1"
"""


def run(folder, module):
    (folder / "test_ours.py").write_text(SUITE.format(module=module))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)


@pytest.mark.parametrize(
    ("module", "code", "words"),
    [("correct", 0, "1 passed"), ("not_normalised", 1, "verdict fail\n")],
)
def test_a_suite_gates_on_the_verdict(tmp_path, module, code, words):
    done = run(tmp_path, module)
    assert done.returncode == code, done.stdout + done.stderr
    assert words in done.stdout
    assert ("distribution.ideal: fail" in done.stdout) == bool(code)
