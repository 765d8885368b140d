"""The import contracts of pyproject.toml hold for the project, and each breaks where a bad import is planted."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from rules import PACKAGES, ROOT

PLANTED = {
    "reference/dpspin/kernel.py": "from dpspin import canonical",
    "reference/dpspin/enclosure.py": "from dpspin import plan",
    "reference/dpspin/errors.py": "from dpspin import canonical",
    "reference/dpspin/decoder/verifier.py": "from dpspin import accounting",
    "reference/dpspin/canonical.py": "import dpspin_experiments",
    "reference/dpspin/plan.py": "import dp_accounting",
    "experiments/dpspin_experiments/judging/exhibit.py": "from dpspin.curator import noise",
}
"""A bad import for every contract; some break more than one."""


def lint(folder: Path, paths: list[Path]) -> str:
    """What import-linter says of the packages in some folders, under the project's contracts."""
    found = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "NO_COLOR": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout + found.stderr


def verdicts(output: str) -> list[str]:
    """KEPT or BROKEN for each contract, in order."""
    return [line.split()[-1] for line in output.splitlines() if line.endswith((" KEPT", " BROKEN"))]


def test_contracts_hold() -> None:
    output = lint(ROOT, [])
    assert verdicts(output), output
    assert set(verdicts(output)) == {"KEPT"}, output


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project's modules, free to be spoilt."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(
            package, tmp_path / package.relative_to(ROOT), ignore=shutil.ignore_patterns("__pycache__", "*.json*")
        )
    return tmp_path


def test_every_contract_breaks_on_a_bad_import(copy: Path) -> None:
    for file, planted in PLANTED.items():
        with (copy / file).open("a", encoding="utf-8") as source:
            source.write(f"\n{planted}\n")
    output = lint(copy, [copy / package.relative_to(ROOT).parent for package in PACKAGES])
    assert verdicts(output), output
    assert set(verdicts(output)) == {"BROKEN"}, output
