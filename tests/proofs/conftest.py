"""Coq's and OCaml's compilers, without which a test skips; under CI they must be there.  One run of all proofs.

That run is kept under build/, by the digest of all that it depends on, and is not kept under CI.
"""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from dpspin import canonical, pipeline
from dpspin.corpus import embedded
from dpspin_proofs import coq, extract, instantiate, run
from dpspin_proofs import sources as sources_module
from dpspin_proofs.instantiate import Instance
from dpspin_proofs.register import Register, register, theories
from dpspin_proofs.run import Outcome, Sources


def needed(found: str | None, package: str) -> str:
    if found is None:
        assert not os.environ.get("CI"), f"CI needs it: apt-get install {package}"
        pytest.skip(f"not installed (on Debian: apt-get install {package})")
    return found


@pytest.fixture(scope="session")
def coqc() -> str:
    return needed(coq.compiler(), "coq")


@pytest.fixture(scope="session")
def ocaml() -> str:
    return needed(extract.builder(), "ocaml-nox")


KEPT = Path(__file__).parents[2] / "build" / "tests" / "proofs"


class Shipped(NamedTuple):
    """What the shipped sources and the embedded deployment prove, and the folder in which they are compiled."""

    outcome: Outcome
    claims: Register
    instance: Instance
    folder: Path


@pytest.fixture(scope="session")
def shipped(coqc: str, once: Callable[[str, Callable[[Path], None]], Path]) -> Shipped:
    known = embedded.files()
    setting = pipeline.load(known["deployment.yaml"], "deployment.yaml", known.__getitem__)
    digest = canonical.digest(setting.deployment_bytes)
    made = instantiate.instance(setting.deployment, digest, len(setting.universe))
    claims = register()._replace(theorems=register().theorems + made.theorems)
    sources = Sources(run.running_kernel(), theories() | {instantiate.FILE: made.source})
    kept = KEPT / canonical.digest(repr((coq.version(coqc), sources, claims, *tools())).encode())
    keeps = not os.environ.get("CI")

    def make(folder: Path) -> None:
        if keeps and (kept / "outcome.json").is_file():
            shutil.copytree(kept, folder, dirs_exist_ok=True)
            return
        outcome = run.prove(coqc, sources, claims, kept=folder)
        (folder / "outcome.json").write_text(json.dumps(outcome))
        if keeps and not outcome.findings:
            shutil.rmtree(KEPT, ignore_errors=True)
            shutil.copytree(folder, kept)

    place = once("proofs", make)
    return Shipped(read((place / "outcome.json").read_text()), claims, made, place)


def tools() -> list[bytes]:
    """The sources of whatever turns sources into an outcome."""
    return [Path(str(module.__file__)).read_bytes() for module in (coq, run, sources_module)]


def read(text: str) -> Outcome:
    """An outcome as it was kept."""
    version, kernel, sources, axioms, findings, rechecked = json.loads(text)
    kept = {name: tuple(each) for name, each in axioms.items()}
    return Outcome(version, kernel, sources, kept, tuple(coq.Finding(*each) for each in findings), rechecked)
