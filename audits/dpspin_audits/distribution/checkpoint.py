"""Progress of a long audit on disk: one small file for every family that is finished, so that a killed audit goes on.

A folder belongs to one audit: `audit.json` binds it to seed, deployment, subject, effort and program.  Files appear
whole or not at all.  A folder of another audit and a file that was altered are refused, never silently done again:
whoever begins anew decides so, by removing what the message names.
"""

import hashlib
import inspect
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from pydantic import ConfigDict, TypeAdapter, ValidationError

from dpspin import __version__, canonical
from dpspin.errors import IntegrityError, UsageError
from dpspin_audits import files
from dpspin_audits.distribution.judgement import Judgement

SCHEMA = "dpspin-progress/1"
AUDIT = "audit.json"
SOURCES = ("dpspin", "dpspin_audits")
"""Packages whose text decides figures."""
_JUDGEMENT: TypeAdapter[Judgement] = TypeAdapter(Judgement, config=ConfigDict(ser_json_inf_nan="constants"))


class Checkpoint:
    """Finished families of one audit in a folder."""

    def __init__(self, folder: Path, terms: Mapping[str, Any]) -> None:
        """Begin a folder, or go on with it.

        Args:
            folder: made where it is not there.
            terms: everything that figures depend on, as a tree without floats.

        Raises:
            UsageError: when the folder belongs to another audit, or cannot be written.
            IntegrityError: when its `audit.json` was altered.
        """
        self._folder, self._terms = folder, canonical.dumps({"schema": SCHEMA, **terms})
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(str(folder), f"cannot be written ({error.strerror})", "name another folder") from error
        begun = begun_with(folder)
        if begun is None:
            files.write(folder / AUDIT, self._terms)
        elif canonical.dumps(begun) != self._terms:
            raise UsageError(
                str(folder),
                f"belongs to another audit ({_differing(begun, canonical.loads(self._terms, AUDIT))} differs)",
                "repeat that one as it was begun, or name another folder",
            )

    def get(self, family: str) -> Judgement | None:
        """What was found for a family; None where it is not finished.

        Raises:
            IntegrityError: when the file is not as it was written.
        """
        path = self._path(family)
        if not path.exists():
            return None
        digest, _, data = files.read(path).partition(b"\n")
        if digest.decode(errors="replace") != self._digest(family, data):
            raise _altered(path)
        try:
            return _JUDGEMENT.validate_json(data)
        except ValidationError as error:
            raise _altered(path) from error

    def put(self, family: str, found: Judgement) -> None:
        """Keep what was found for a family.

        Raises:
            UsageError: when the disk does not take it.
        """
        data = _JUDGEMENT.dump_json(found)
        files.write(self._path(family), self._digest(family, data).encode() + b"\n" + data)

    def _path(self, family: str) -> Path:
        return self._folder / f"family-{hashlib.sha256(family.encode()).hexdigest()[:16]}"

    def _digest(self, family: str, data: bytes) -> str:
        """Of a result, for this audit and family alone: a file of another one does not fit."""
        return canonical.digest(b"\0".join((self._terms, family.encode(), data)))


def begun_with(folder: Path) -> dict[str, Any] | None:
    """What the audit of a folder was begun with; None where none was.

    Raises:
        IntegrityError: when its `audit.json` is not one.
    """
    path = folder / AUDIT
    if not path.exists():
        return None
    try:
        tree = canonical.loads(files.read(path), str(path))
    except UsageError as error:
        raise _altered(path) from error
    if not isinstance(tree, dict) or tree.get("schema") != SCHEMA or not isinstance(tree.get("seed"), str):
        raise _altered(path)
    return tree


def _altered(path: Path) -> IntegrityError:
    remedy = "remove this file, and its part is done again" if path.name != AUDIT else "remove the folder"
    return IntegrityError(str(path), "what this audit wrote", "other bytes", remedy)


def _differing(one: Mapping[str, Any], two: Mapping[str, Any]) -> str:
    return ", ".join(sorted(key for key in set(one) | set(two) if one.get(key) != two.get(key)))


def program(subject: object) -> dict[str, Any]:
    """What runs: version and text of this program, of what it computes with, and of the subject's module."""
    places = (Path(spec.origin).parent for spec in map(find_spec, SOURCES) if spec is not None and spec.origin)
    texts = sorted(path for place in places for path in place.rglob("*.py"))
    whole = hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in texts))
    return {
        "version": __version__,
        "sources": whole.hexdigest(),
        "python": sys.version.split()[0],
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "module": _module_of(subject),
    }


def _module_of(subject: object) -> str | None:
    """Digest of the file of the subject's class; None where it has none."""
    try:
        file = inspect.getsourcefile(type(subject))
    except TypeError:
        file = None
    return None if file is None or not Path(file).is_file() else canonical.digest(files.read(Path(file)))
