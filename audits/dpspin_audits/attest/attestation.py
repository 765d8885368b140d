"""A file of an attestation: three statements about the same subjects, each in an envelope of its own, a line each.

That is an in-toto bundle.  Bundles are not signed as a whole, so that lines could be taken out of one: an attestation
is whole, in order, and says the same in every line about subjects, result and validity, or it is refused.
"""

from typing import NamedTuple

from dpspin.errors import ImpossibleError, IntegrityError
from dpspin_audits.attest import envelope, predicates, said, statement, subjects
from dpspin_audits.attest.envelope import Envelope
from dpspin_audits.attest.keys import Checker, Signer, checker
from dpspin_audits.attest.parts import Evidence
from dpspin_audits.attest.predicates import Terms
from dpspin_audits.attest.said import Said
from dpspin_audits.attest.statement import KINDS, Statement
from dpspin_audits.attest.subjects import Given

PLACE = "the attestation"


class Attestation(NamedTuple):
    """Three statements under one key, once every signature was checked."""

    keyid: str
    guarantee: Statement
    test_result: Statement
    summary: Statement
    said: Said
    """What they say together."""


def sign(found: Evidence, given: Given, terms: Terms, key: Signer) -> bytes:
    """The file of an attestation.

    Args:
        found: evidence whose parts belong together (`evidence_file.opened`).
        given: digests of what was given beside it.
        terms: validity and verifier.
        key: the signer's.

    Raises:
        IntegrityError: when what was given does not belong to the evidence.
        ImpossibleError: when what was just signed does not verify.
    """
    about = subjects.of(found, given)
    lines = []
    for kind, predicate in predicates.predicates(found, about, terms).items():
        payload = statement.encode(kind, about, predicate)
        signature = key.sign(envelope.signed_bytes(envelope.PAYLOAD_TYPE, payload))
        lines.append(envelope.encode(Envelope(envelope.PAYLOAD_TYPE, payload, key.keyid, signature)))
    data = b"".join(lines)
    try:
        opened(data, checker(key.public, PLACE), PLACE)
    except IntegrityError as error:
        raise ImpossibleError(f"an attestation just signed does not verify: {error}") from error
    return data


def opened(data: bytes, key: Checker, place: str) -> Attestation:
    """An attestation from its file.

    Args:
        data: bytes of the file.
        key: the public key that must have signed every line.
        place: name of the file, for messages.

    Raises:
        UsageError: when a statement is of a newer type of ours.
        IntegrityError: naming the line and the field that does not hold.
    """
    if len(data) > envelope.LARGEST:
        raise IntegrityError(place, f"at most {envelope.LARGEST} bytes", f"{len(data)}", envelope.REMEDY)
    lines = data.splitlines(keepends=True)
    read = [line_of(line, key, f"{place}: line {number}") for number, line in enumerate(lines[: len(KINDS) + 1], 1)]
    kinds = tuple(one.kind for one in read)
    if kinds != KINDS:
        raise IntegrityError(
            place, f"{len(KINDS)} statements: {', '.join(KINDS)}", ", ".join(kinds) or "none", envelope.REMEDY
        )
    for number, one in enumerate(read, 1):
        if one.common != read[0].common:
            raise IntegrityError(
                f"{place}: line {number}", "subjects, result and validity of the first line", "others", envelope.REMEDY
            )
    guarantee, tests, summary = read
    return Attestation(key.keyid, guarantee, tests, summary, said.read(guarantee, tests, summary, place))


def line_of(line: bytes, key: Checker, place: str) -> Statement:
    """One statement from its envelope: the signature first, then its type, then what it says.

    Raises:
        UsageError, IntegrityError: as `opened`.
    """
    found = envelope.decode(line, place)
    if found.keyid != key.keyid:
        raise IntegrityError(f"{place}: keyid", key.keyid, found.keyid[:80], "name the public key of this signer")
    if not key.holds(found.signature, envelope.signed_bytes(found.payload_type, found.payload)):
        raise IntegrityError(f"{place}: sig", "a signature of these bytes by this key", "another", envelope.REMEDY)
    if found.payload_type != envelope.PAYLOAD_TYPE:
        raise IntegrityError(f"{place}: payloadType", envelope.PAYLOAD_TYPE, found.payload_type[:80], statement.REMEDY)
    return statement.decode(found.payload, f"{place}: payload")
