"""Ed25519 keys: made, read from PEM files, and their ids; the library `cryptography` is loaded when a key is used.

A private key is PKCS #8, encrypted if a passphrase is given; a public one is SubjectPublicKeyInfo.  The id of a key is
the SHA-256 of the DER form of the public one, which `openssl pkey -pubin -in KEY.pub -outform DER | sha256sum` prints.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from dpspin import canonical
from dpspin.errors import UsageError

LARGEST = 2**16
"""Bytes of a key file."""


class Pair(NamedTuple):
    """A new key: both files, in PEM."""

    secret: bytes
    public: bytes
    keyid: str


class Signer(NamedTuple):
    """A private key in use."""

    keyid: str
    sign: Callable[[bytes], bytes]
    public: bytes
    """Its public key, in PEM."""


class Checker(NamedTuple):
    """A public key in use."""

    keyid: str
    holds: Callable[[bytes, bytes], bool]
    """Whether a signature (first) is this key's for bytes (second)."""


def generate(passphrase: bytes | None) -> Pair:
    """A new key from the system's generator.

    Args:
        passphrase: encrypts the private file; None leaves it readable to whoever can read the file.

    Raises:
        UsageError: when `cryptography` is not installed, or the passphrase is empty.
    """
    forms, kind = _library("serialization"), _library("asymmetric.ed25519")
    if passphrase == b"":
        raise UsageError("passphrase", "empty", "write one, or leave it out")
    how = forms.NoEncryption() if passphrase is None else forms.BestAvailableEncryption(passphrase)
    key = kind.Ed25519PrivateKey.generate()
    secret = key.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, how)
    public = key.public_key()
    return Pair(secret, _pem(forms, public), _keyid(forms, public))


def signer(secret: bytes, passphrase: bytes | None, place: str) -> Signer:
    """A private key from its file.

    Args:
        secret: bytes of the file.
        passphrase: None for none.
        place: its name, for messages; no byte of it enters one.

    Raises:
        UsageError: when it is no private Ed25519 key, or the passphrase is missing or wrong.
    """
    forms, kind = _library("serialization"), _library("asymmetric.ed25519")
    _check_size(secret, place)
    try:
        key = forms.load_pem_private_key(secret, passphrase)
    except TypeError as error:
        needed = "is encrypted" if passphrase is None else "is not encrypted"
        remedy = "give its passphrase" if passphrase is None else "leave the passphrase out"
        raise UsageError(place, needed, remedy) from error
    except Exception as error:  # the library raises its own classes, and ValueError for a wrong passphrase
        what = "cannot be read, or its passphrase is wrong" if passphrase else "is no private key in PEM"
        raise UsageError(place, what, "name the file that `dpspin attest keygen` wrote") from error
    if not isinstance(key, kind.Ed25519PrivateKey):
        raise UsageError(place, "is no Ed25519 key", "make one with `dpspin attest keygen`")
    public = key.public_key()
    return Signer(_keyid(forms, public), key.sign, _pem(forms, public))


def checker(public: bytes, place: str) -> Checker:
    """A public key from its file.

    Raises:
        UsageError: when it is no public Ed25519 key.
    """
    forms, kind = _library("serialization"), _library("asymmetric.ed25519")
    invalid = import_module("cryptography.exceptions").InvalidSignature
    _check_size(public, place)
    if public.count(b"-----BEGIN") > 1:
        raise UsageError(place, "holds more than one key", "name a file with the key of one signer")
    if b"PRIVATE KEY" in public:
        raise UsageError(place, "is a private key", "name its .pub, and hand the private one to nobody")
    try:
        key = forms.load_pem_public_key(public)
    except Exception as error:  # the library's own classes among them
        raise UsageError(place, "is no public key in PEM", "name the .pub of `dpspin attest keygen`") from error
    if not isinstance(key, kind.Ed25519PublicKey):
        raise UsageError(place, "is no Ed25519 key", "name the .pub of `dpspin attest keygen`")

    def holds(signature: bytes, data: bytes) -> bool:
        try:
            key.verify(signature, data)
        except invalid:
            return False
        return True

    return Checker(_keyid(forms, key), holds)


def _check_size(data: bytes, place: str) -> None:
    if len(data) > LARGEST:
        raise UsageError(place, f"longer than {LARGEST} bytes", "name a key file")


def _pem(forms: Any, public: Any) -> bytes:
    data: bytes = public.public_bytes(forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo)
    return data


def _keyid(forms: Any, public: Any) -> str:
    return canonical.digest(public.public_bytes(forms.Encoding.DER, forms.PublicFormat.SubjectPublicKeyInfo))


def _library(module: str) -> Any:
    try:
        return import_module(f"cryptography.hazmat.primitives.{module}")
    except ImportError as error:
        raise UsageError(
            "dpspin attest", "the library cryptography is not installed", 'run pip install "dpspin[attest]"'
        ) from error
