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


class Statement(NamedTuple):
    """A statement of the paper or of docs/spec.md: its name, its section of the paper, and words that find it there.

    `theorems` are those that establish it here, `source` says on what it rests besides, `code`, `tests` and `gaps` are
    as for a theorem.
    """

    name: str
    section: str
    at: str
    says: str
    code: tuple[str, ...]
    theorems: tuple[str, ...]
    source: str
    tests: tuple[str, ...]
    gaps: tuple[str, ...]


class Register(NamedTuple):
    """All theorems that may be cited, in the order of the page, all known gaps, and the statements of the paper."""

    theorems: tuple[Theorem, ...]
    gaps: tuple[Gap, ...]
    statements: tuple[Statement, ...] = ()


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
    lists = ("code", "theorems", "tests", "gaps")
    statements = [Statement(**row | {key: tuple(row[key]) for key in lists}) for row in tree.get("statement", [])]
    return Register(tuple(theorems), tuple(Gap(**gap) for gap in tree["gap"]), tuple(statements))


def theories() -> dict[str, str]:
    """Text of every shipped Coq source by name, the translated kernel included."""
    files = (file for file in (PACKAGE / "theories").iterdir() if file.name.endswith(".v"))
    return {file.name[:-2]: file.read_bytes().decode() for file in sorted(files, key=lambda file: file.name)}
