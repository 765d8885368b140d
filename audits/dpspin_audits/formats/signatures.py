"""Whether evidence is signed: an attestation beside it, held against a public key."""

import datetime
from pathlib import Path
from typing import NamedTuple

from dpspin.errors import IntegrityError
from dpspin_audits import files
from dpspin_audits.attest import attestation, keys, subjects
from dpspin_audits.formats.opened import Evidence

SUFFIX = ".intoto.jsonl"
"""Of the file of an attestation (an in-toto bundle)."""


def beside(evidence: Path) -> Path:
    """Where the attestation of an evidence file lies: evidence.intoto.jsonl beside evidence.json."""
    return evidence.with_suffix(SUFFIX)


class Signature(NamedTuple):
    """What is known of the signature of one evidence."""

    state: str
    """not signed; signed, not checked; signed."""
    keyid: str = ""
    result: str = ""
    until: str = ""
    """The last day for which the signer answers."""

    @property
    def words(self) -> str:
        """In a few words."""
        return f"{self.state}: {self.result}, until {self.until}" if self.result else self.state


def signature(evidence: Evidence, path: Path, public_key: bytes | None, as_of: datetime.date | None) -> Signature:
    """Look for the attestation of an evidence file, and verify it.

    Args:
        evidence: the evidence.
        path: its file; the attestation lies `beside` it.
        public_key: PEM file of the signer's public key; None leaves signatures unchecked, and says so.
        as_of: the day for which the signer must answer; None for any.

    Raises:
        IntegrityError: when there is an attestation that does not verify, is about other evidence, or is over.
    """
    place = beside(path)
    if not place.exists():
        return Signature("not signed")
    if public_key is None:
        return Signature("signed, not checked")
    key = keys.checker(public_key, "the public key")
    found = attestation.opened(files.read(place), key, str(place)).guarantee
    digest = next((one.sha256 for one in found.subjects if one.name == subjects.EVIDENCE), "no evidence")
    if digest != evidence.digest:
        raise IntegrityError(str(place), f"the digest of {path}", digest, "restore the evidence that was signed")
    if as_of is not None:
        found.validity.check(as_of, str(place))
    return Signature("signed", key.keyid, found.result, found.validity.not_after.isoformat())
