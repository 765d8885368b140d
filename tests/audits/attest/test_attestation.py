"""Attestations: whole, in order, under one key; and what an existing tool says of the same bytes, both ways."""

import json

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key
from securesystemslib.dsse import Envelope as Theirs
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import CryptoSigner, SSlibKey

from dpspin import canonical
from dpspin.errors import ImpossibleError, IntegrityError, UsageError
from dpspin_audits.attest import attestation, envelope, keys, statement
from dpspin_audits.attest.envelope import Envelope
from dpspin_audits.attest.keys import Signer


@pytest.fixture(scope="session")
def data(signed, tree):
    return signed(tree)


def test_what_was_signed_is_read(data, checker, signer, tree, period):
    found = attestation.opened(data, checker, "file")
    assert found.keyid == signer.keyid
    assert (found.guarantee.kind, found.test_result.kind, found.summary.kind) == statement.KINDS
    assert found.guarantee.result == "PASSED"
    assert found.guarantee.validity == period
    assert found.said.guarantee.loss.epsilon.given.text == tree["claim"]["epsilon"]


def test_the_same_evidence_key_and_days_give_the_same_bytes(data, signed, tree):
    assert signed(tree) == data


def test_securesystemslib_verifies_every_line(data, pair):
    public = SSlibKey.from_crypto(load_pem_public_key(pair.public), keyid=pair.keyid)
    for line in data.splitlines():
        theirs = Theirs.from_dict(json.loads(line))
        assert list(theirs.verify([public], threshold=1)) == [pair.keyid]
        assert json.loads(theirs.payload)["_type"] == statement.TYPE
        theirs.payload += b" "
        with pytest.raises(VerificationError):
            theirs.verify([public], threshold=1)


def test_we_verify_what_securesystemslib_signs(data, pair, checker):
    key = load_pem_private_key(pair.secret, None)
    signer = CryptoSigner(key, SSlibKey.from_crypto(key.public_key(), keyid=pair.keyid))
    lines = []
    for line in data.splitlines():
        ours = envelope.decode(line + b"\n", "line")
        theirs = Theirs(ours.payload, ours.payload_type, {})
        theirs.sign(signer)
        lines.append(canonical.dumps(theirs.to_dict()))
    assert attestation.opened(b"".join(lines), checker, "file").guarantee.result == "PASSED"


def test_another_key_is_refused_by_its_id_and_by_the_signature(data, pair):
    other = keys.checker(keys.generate(None).public, "other.pub")
    with pytest.raises(IntegrityError, match="keyid"):
        attestation.opened(data, other, "file")
    lied = data.replace(pair.keyid.encode(), other.keyid.encode())
    with pytest.raises(IntegrityError, match="sig: expected a signature of these bytes by this key"):
        attestation.opened(lied, other, "file")


def test_every_byte_of_the_file_counts(data, checker):
    """Every 97th byte, every byte of the last line's tail, and all of a short stretch; each with two changes."""
    places = {*range(0, len(data), 97), *range(300), *range(len(data) - 400, len(data))}
    for at in sorted(places):
        for flip in (1, 0x20):
            other = data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :]
            with pytest.raises(IntegrityError):
                attestation.opened(other, checker, "file")


@pytest.mark.parametrize("cut", [slice(0, -1), slice(1, None)])
def test_no_byte_can_be_left_out(data, checker, cut):
    with pytest.raises(IntegrityError):
        attestation.opened(data[cut], checker, "file")


@pytest.mark.parametrize(
    "arrange",
    [
        lambda a, b, c: [],
        lambda a, b, c: [a],
        lambda a, b, c: [a, b],
        lambda a, b, c: [b, a, c],
        lambda a, b, c: [a, b, c, c],
        lambda a, b, c: [a, a, b, c],
        lambda a, b, c: [a, b, c, b"\n"],
        lambda a, b, c: [b"\n", a, b, c],
        lambda a, b, c: [a, b, c, b"x"],
        lambda a, b, c: [a, b"\r\n", b, c],
    ],
)
def test_lines_cannot_be_taken_out_added_or_moved(data, checker, arrange):
    with pytest.raises(IntegrityError):
        attestation.opened(b"".join(arrange(*data.splitlines(keepends=True))), checker, "file")


def test_lines_of_two_attestations_cannot_be_mixed(data, signed, change, tree, checker):
    failing = signed(change(tree, "support", status="fail")).splitlines(keepends=True)
    passing = data.splitlines(keepends=True)
    with pytest.raises(IntegrityError, match="line 2: expected subjects, result and validity of the first line"):
        attestation.opened(b"".join([passing[0], failing[1], failing[2]]), checker, "file")


def _signed(signer, payload, kind=envelope.PAYLOAD_TYPE):
    return envelope.encode(Envelope(kind, payload, signer.keyid, signer.sign(envelope.signed_bytes(kind, payload))))


def test_another_payload_type_is_refused_even_if_it_was_signed(data, signer, checker):
    held = envelope.decode(data.splitlines(keepends=True)[0], "line")
    with pytest.raises(IntegrityError, match=r"payloadType: expected application/vnd\.in-toto"):
        attestation.line_of(_signed(signer, held.payload, "application/json"), checker, "line")
    swapped = envelope.encode(held._replace(payload_type="application/json"))
    with pytest.raises(IntegrityError, match="sig"):
        attestation.line_of(swapped, checker, "line")


def test_something_else_under_the_same_key_is_no_statement(signer, checker):
    with pytest.raises(IntegrityError, match="what else this key signs"):
        attestation.line_of(_signed(signer, b'{"a":1}\n'), checker, "line")


def test_a_signature_of_the_payload_alone_is_none(data, signer, checker):
    held = envelope.decode(data.splitlines(keepends=True)[0], "line")
    with pytest.raises(IntegrityError, match="sig"):
        attestation.line_of(envelope.encode(held._replace(signature=signer.sign(held.payload))), checker, "line")


def test_a_newer_statement_asks_for_a_newer_program(data, signer, checker):
    held = envelope.decode(data.splitlines(keepends=True)[0], "line")
    with pytest.raises(UsageError, match="install a newer dpspin"):
        attestation.line_of(_signed(signer, held.payload.replace(b"guarantee/v1", b"guarantee/v2")), checker, "line")


def test_a_huge_file_is_refused_before_it_is_read(checker):
    with pytest.raises(IntegrityError, match="at most 16777216 bytes"):
        attestation.opened(b"\n" * (envelope.LARGEST + 1), checker, "file")


def test_what_does_not_verify_is_never_handed_out(signed, tree, pair):
    broken = Signer(pair.keyid, ed25519.Ed25519PrivateKey.generate().sign, pair.public)
    with pytest.raises(ImpossibleError, match="does not verify"):
        signed(tree, key=broken)


def test_a_failing_audit_is_signed_as_such_in_every_line(read, tree, change):
    found = read(change(tree, "support", status="fail"))
    assert {one.result for one in (found.guarantee, found.test_result, found.summary)} == {"FAILED"}
    assert found.summary.predicate["verificationResult"] == "FAILED"
