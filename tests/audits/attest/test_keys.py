"""Keys: what OpenSSL says of them, and every file that is no such key."""

import subprocess

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519

from dpspin.errors import UsageError
from dpspin_audits.attest import keys

ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of Ed25519's group."""


def _pem(key):
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _public(key):
    return key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def test_a_signature_holds_for_its_bytes_and_its_key_alone(pair, signer, checker):
    signature = signer.sign(b"text")
    assert checker.holds(signature, b"text")
    assert not checker.holds(signature, b"texT")
    assert not keys.checker(keys.generate(None).public, "other").holds(signature, b"text")
    assert signer.keyid == checker.keyid == pair.keyid
    assert signer.public == pair.public


def test_every_bit_of_a_signature_counts(signer, checker):
    signature = signer.sign(b"text")
    for bit in range(512):
        other = bytearray(signature)
        other[bit // 8] ^= 1 << bit % 8
        assert not checker.holds(bytes(other), b"text"), bit


def test_a_signature_cannot_be_spelt_in_two_ways(signer, checker):
    """S + L verifies wherever S < L is not asked for (RFC 8032, section 5.1.7)."""
    signature = signer.sign(b"text")
    larger = int.from_bytes(signature[32:], "little") + ORDER
    assert not checker.holds(signature[:32] + larger.to_bytes(32, "little"), b"text")
    assert not any(checker.holds(other, b"text") for other in (b"", signature[:-1], signature + b"\0"))


def test_the_id_is_the_digest_that_openssl_prints(pair, tmp_path):
    path = tmp_path / "key.pub"
    path.write_bytes(pair.public)
    der = subprocess.run(
        ["openssl", "pkey", "-pubin", "-in", path, "-outform", "DER"], capture_output=True, check=True
    ).stdout
    digest = subprocess.run(["openssl", "dgst", "-sha256", "-r"], input=der, capture_output=True, check=True).stdout
    assert digest.decode().split()[0] == pair.keyid


def test_a_passphrase_encrypts_the_private_file(pair):
    locked = keys.generate(b"correct horse")
    assert b"ENCRYPTED" in locked.secret
    assert b"ENCRYPTED" not in pair.secret
    assert keys.signer(locked.secret, b"correct horse", "key").keyid == locked.keyid
    for wrong, said in ((None, "is encrypted; give its passphrase"), (b"correct house", "its passphrase is wrong")):
        with pytest.raises(UsageError, match=said):
            keys.signer(locked.secret, wrong, "key")
    with pytest.raises(UsageError, match="is not encrypted"):
        keys.signer(pair.secret, b"correct horse", "key")
    with pytest.raises(UsageError, match="empty"):
        keys.generate(b"")


@pytest.mark.parametrize("key", [ec.generate_private_key(ec.SECP256R1()), ed448.Ed448PrivateKey.generate()])
def test_keys_of_other_kinds_are_refused(key):
    for use in (lambda: keys.signer(_pem(key), None, "key"), lambda: keys.checker(_public(key), "key.pub")):
        with pytest.raises(UsageError, match="is no Ed25519 key"):
            use()


@pytest.mark.parametrize("data", [b"", b"\xff" * 100, b"-----BEGIN PUBLIC KEY-----\n!\n-----END PUBLIC KEY-----\n"])
def test_what_is_no_key_is_refused(data):
    with pytest.raises(UsageError, match="key: is no private key in PEM"):
        keys.signer(data, None, "key")
    with pytest.raises(UsageError, match=r"key\.pub: is no public key in PEM"):
        keys.checker(data, "key.pub")


def test_the_two_halves_are_not_confused(pair):
    with pytest.raises(UsageError, match="hand the private one to nobody"):
        keys.checker(pair.secret, "key")
    with pytest.raises(UsageError, match="is no private key"):
        keys.signer(pair.public, None, "key.pub")


def test_one_file_holds_one_key(pair):
    with pytest.raises(UsageError, match="more than one key"):
        keys.checker(pair.public + keys.generate(None).public, "key.pub")


def test_a_huge_file_is_no_key(pair):
    for use in (keys.checker, lambda data, place: keys.signer(data, None, place)):
        with pytest.raises(UsageError, match="longer than 65536 bytes"):
            use(pair.public + b" " * keys.LARGEST, "key")


def test_raw_bytes_of_a_key_are_refused():
    raw = ed25519.Ed25519PrivateKey.generate().private_bytes_raw()
    with pytest.raises(UsageError, match="is no private key"):
        keys.signer(raw, None, "key")


def test_without_the_library_it_is_said_what_to_install(monkeypatch):
    def missing(name, *_):
        raise ImportError(name)

    monkeypatch.setattr(keys, "import_module", missing)
    with pytest.raises(UsageError, match=r'cryptography is not installed; run pip install "dpspin\[attest\]"'):
        keys.generate(None)
