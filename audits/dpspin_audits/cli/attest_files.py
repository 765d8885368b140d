"""Files and secrets of `dpspin attest`: bounded reads, digests of what was given, keys that are never overwritten."""

import hashlib
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from dpspin.errors import IntegrityError, UsageError
from dpspin_audits import files
from dpspin_audits.attest import keys
from dpspin_audits.attest.subjects import EVIDENCE, IMPLEMENTATION, PROOFS, REPORT
from dpspin_audits.attest.verify import File

PASSPHRASE = "DPSPIN_PASSPHRASE"  # noqa: S105 - the name of a variable
SECRET = 0o600


class Given(NamedTuple):
    """Files that were named beside an attestation; None for those that were not."""

    evidence: Path | None
    report: Path | None
    proofs: Path | None
    implementation: Path | None

    def digests(self) -> Iterator[File]:
        """Each of them as the subject that it should be."""
        for name, path in zip((EVIDENCE, REPORT, PROOFS, IMPLEMENTATION), self, strict=True):
            if path is not None:
                yield File(str(path), name, digest(path))


def bounded(path: Path, most: int) -> bytes:
    """The bytes of a file, as long as there are not too many: one byte more than `most` at most is read.

    Raises:
        UsageError: when it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise UsageError(str(path), f"cannot be read ({error.strerror})", "name a readable file") from error


def digest(path: Path) -> str:
    """SHA-256 of a file of any length.

    Raises:
        UsageError: when it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UsageError(str(path), f"cannot be read ({error.strerror})", "name a readable file") from error


def release_of(folder: Path) -> Path:
    """The release in a folder of results, or the folder itself."""
    return folder / "release" if (folder / "release").is_dir() else folder


def release_files(folder: Path) -> list[File]:
    """Every entry of the folder of a release; a folder in it counts as an empty file of its name with a slash.

    Raises:
        UsageError: naming what cannot be read.
        IntegrityError: naming an entry that is neither a file nor a folder, such as a link, whose bytes may change
            without it, or a pipe, which may have none.
    """
    release = release_of(folder)
    try:
        entries = sorted(release.iterdir())
    except OSError as error:
        raise UsageError(str(release), f"cannot be read ({error.strerror})", "name a readable folder") from error
    for entry in entries:
        if not stat.S_ISREG(entry.lstat().st_mode) and not stat.S_ISDIR(entry.lstat().st_mode):
            raise IntegrityError(str(entry), "a plain file", "a link, or something else", "put the file itself there")
    nothing = hashlib.sha256().hexdigest()
    return [
        File(str(entry), entry.name + "/" * entry.is_dir(), nothing if entry.is_dir() else digest(entry))
        for entry in entries
    ]


def result_files(folder: Path, names: set[str]) -> list[File]:
    """Files of these names in a folder of results, beside its release."""
    if release_of(folder) == folder:
        return []
    paths = [folder / name for name in sorted(names) if (folder / name).is_file()]
    return [File(str(path), path.name, digest(path)) for path in paths]


def write_pair(path: Path, pair: keys.Pair) -> Path:
    """Write both files of a new key, or neither; what exists is never replaced.

    Returns:
        The path of the public one.

    Raises:
        UsageError: when a place is taken or cannot be written.
    """
    public = path.with_name(f"{path.name}.pub")
    check_free(path)
    _place(path, pair.secret, SECRET)
    try:
        _place(public, pair.public, 0o644)
    except UsageError:
        path.unlink()
        raise
    return public


def check_free(path: Path) -> None:
    """Refuse a place at which a key or its public half would replace something.

    Raises:
        UsageError: naming the file.
    """
    for place in (path, path.with_name(f"{path.name}.pub")):
        if place.exists() or place.is_symlink():
            raise UsageError(str(place), "exists already", "name another file; keys are never overwritten")


def _place(path: Path, data: bytes, mode: int) -> None:
    """A new file under its name at once: linked, which fails where the name is taken."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        files.write_new(temporary, [data], mode)
        os.link(temporary, path)
    except OSError as error:
        raise UsageError(str(path), f"cannot be written ({error.strerror})", "name another file") from error
    finally:
        temporary.unlink(missing_ok=True)


def passphrase(wanted: bool) -> bytes | None:
    """For a new key: of the environment, or asked for twice; None for none."""
    told = os.environ.get(PASSPHRASE)
    if told is None and wanted:
        told = click.prompt("Passphrase", hide_input=True, confirmation_prompt=True, err=True)
    return None if told is None else str(told).encode()


def _check_secret(path: Path) -> None:
    """A key without a passphrase that everybody on the machine can read, or replace, is nobody's signature."""
    if os.name == "posix" and path.stat().st_mode & (stat.S_IROTH | stat.S_IWOTH):
        raise UsageError(str(path), "can be read or written by everybody", f"chmod 600 {path}, or encrypt it")


def signer(path: Path) -> keys.Signer:
    """A private key; if it is encrypted, its passphrase is that of the environment, or asked for on a terminal.

    Raises:
        UsageError: as `keys.signer`; when it is not encrypted and open to everybody.
    """
    data, told = bounded(path, keys.LARGEST), None
    if b"ENCRYPTED" not in data:
        _check_secret(path)
    else:
        told = os.environ.get(PASSPHRASE)
        if told is None and sys.stdin.isatty():
            told = click.prompt(f"Passphrase of {path}", hide_input=True, err=True)
    return keys.signer(data, None if told is None else str(told).encode(), str(path))
