"""Verifying: signatures, then files against digests; what was not compared is named, never passed over."""

from collections.abc import Sequence
from typing import NamedTuple

from dpspin.errors import IntegrityError
from dpspin_audits.attest import attestation, envelope
from dpspin_audits.attest.keys import checker
from dpspin_audits.attest.statement import Statement
from dpspin_audits.attest.subjects import RELEASED, Subject

RESTORE = "restore the file that was signed"


class File(NamedTuple):
    """A file that is held against an attestation."""

    place: str
    """Its path, for messages."""
    name: str
    """Of the subject that it should be."""
    sha256: str


def verified(data: bytes, public_key: bytes) -> Statement:
    """The statement in an envelope, or the first one of an attestation, once every signature is checked.

    No clock and no file: `Statement.validity` says for which days it was signed, `Statement.subjects` for which files.

    Args:
        data: bytes of one envelope, or of the file of an attestation.
        public_key: PEM file of the signer's public key.

    Raises:
        UsageError: when the key cannot be used, or a statement is of a newer type of ours.
        IntegrityError: naming what does not hold.
    """
    key = checker(public_key, "the public key")
    if len(data.splitlines()) == 1 and len(data) <= envelope.LARGEST:
        return attestation.line_of(data, key, "the envelope")
    return attestation.opened(data, key, attestation.PLACE).guarantee


def compared(signed: Sequence[Subject], files: Sequence[File], release: str | None) -> tuple[str, ...]:
    """Names of the subjects whose files are those that were signed.

    Args:
        signed: subjects of an attestation.
        files: whatever was given; every one of them must be a subject.
        release: path of a whole release, of which no file may be missing; None where none was given.

    Raises:
        IntegrityError: naming the first file that is another one, is missing, or was not signed.
    """
    digests, given = {one.name: one.sha256 for one in signed}, {file.name for file in files}
    for file in files:
        if file.name not in digests:
            raise IntegrityError(file.place, "a file that was signed", "one that was not", "take it out, or sign it")
        if digests[file.name] != file.sha256:
            raise IntegrityError(file.place, f"sha256 {digests[file.name]}", file.sha256, RESTORE)
    for name, digest in digests.items():
        if release is not None and name in RELEASED and name not in given:
            raise IntegrityError(f"{release}: {name}", f"sha256 {digest}", "no such file", RESTORE)
    return tuple(name for name in digests if name in given)
