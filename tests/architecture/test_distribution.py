"""A stranger who installs the wheel, or builds it from the source distribution, has everything the project runs on."""

import hashlib
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest
from rules import PACKAGES, ROOT


class Built(NamedTuple):
    """Digests by name: of the wheel made from the tree, of the wheel made from the sdist, and names in the sdist."""

    wheel: dict[str, str]
    again: dict[str, str]
    sdist: set[str]


def build(out: Path, *options: str) -> None:
    """Build the project with the environment's own tools; nothing is fetched."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), *options, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def digests(folder: Path) -> dict[str, str]:
    """Digest of every file in the one wheel of a folder."""
    [path] = folder.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        return {name: hashlib.sha256(wheel.read(name)).hexdigest() for name in wheel.namelist()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Both distributions, and the wheel that the source distribution makes."""
    direct, through = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("sdist")
    build(direct, "--wheel")
    build(through)
    [archive] = through.glob("*.tar.gz")
    with tarfile.open(archive) as sdist:
        names = {name.split("/", 1)[1] for name in sdist.getnames()}
    return Built(digests(direct), digests(through), names)


def unpacked(path: Path) -> set[str]:
    """Names that a package's files have in a wheel."""
    files = (file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(path.parent).as_posix() for file in files}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_the_wheel_holds_every_file_of_the_package(package: Path, built: Built) -> None:
    wanted = unpacked(package)
    assert f"{package.name}/py.typed" in wanted
    assert wanted == {name for name in built.wheel if name.startswith(f"{package.name}/")}


@pytest.mark.parametrize(
    "suffix", ["deployment.yaml", ".j2", "claims.toml", "dpspin_proofs/certificate.json", "theories/Kernel.v"]
)
def test_the_wheel_holds_what_is_not_python(suffix: str, built: Built) -> None:
    assert [name for name in built.wheel if name.endswith(suffix)]


def test_the_wheel_holds_nothing_else(built: Built) -> None:
    others = {name for name in built.wheel if name.split("/")[0] not in {package.name for package in PACKAGES}}
    assert all(name.split("/")[0].endswith(".dist-info") for name in others), others
    assert any(name.endswith("licenses/LICENSE") for name in others)


def test_the_source_distribution_builds_the_same_wheel(built: Built) -> None:
    assert built.wheel == built.again


def test_the_source_distribution_holds_the_tests_and_pages(built: Built) -> None:
    wanted = {"pyproject.toml", "Makefile", "README.md", "LICENSE", "NOTATION.md", "tests/proofs/test_subset.py"}
    assert wanted <= built.sdist
    assert not [name for name in built.sdist if name.startswith((".venv", ".git/", "build/", "dist/"))]
