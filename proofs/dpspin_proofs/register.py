"""The register of claims (`claims.toml`) and the Coq sources that establish them, as they are shipped."""

import tomllib
from importlib import resources
from typing import NamedTuple

PACKAGE = resources.files("dpspin_proofs")


class Theorem(NamedTuple):
    """A machine-checked statement: its name, its file, the code it is about, and what it says in words.

    `tests` show the same of the running code, `axioms` are those it may rest on, `gaps` names what it leaves open.
    """

    name: str
    file: str
    code: str
    says: str
    tests: tuple[str, ...]
    axioms: tuple[str, ...]
    gaps: tuple[str, ...]


class Gap(NamedTuple):
    """Something that no theorem covers, and what stands in its place; `everywhere` if every theorem leaves it open."""

    name: str
    what: str
    instead: str
    everywhere: bool


class Register(NamedTuple):
    """All theorems that may be cited, in the order of the page, and all known gaps."""

    theorems: tuple[Theorem, ...]
    gaps: tuple[Gap, ...]


def register() -> Register:
    """The register that is shipped."""
    return read((PACKAGE / "claims.toml").read_bytes())


def read(data: bytes) -> Register:
    """The register in the bytes of a file; entries share the settings of their group."""
    tree = tomllib.loads(data.decode())
    theorems = [
        Theorem(name, group["file"], group["code"], says, *(tuple(group[key]) for key in ("tests", "axioms", "gaps")))
        for group in tree["group"]
        for name, says in group["theorems"].items()
    ]
    return Register(tuple(theorems), tuple(Gap(**gap) for gap in tree["gap"]))


def theories() -> dict[str, str]:
    """Text of every shipped Coq source by name, the translated kernel included."""
    files = (file for file in (PACKAGE / "theories").iterdir() if file.name.endswith(".v"))
    return {file.name[:-2]: file.read_bytes().decode() for file in sorted(files, key=lambda file: file.name)}
