"""DSSE, version 1: one payload, its type, one signature over both, in one line of canonical JSON.

Reading is stricter than the protocol asks: one spelling, so that no byte can change without being noticed.  Blanks,
other orders of keys, URL-safe or sloppy base64, further fields and further signatures are refused.
"""

import base64
import binascii
from typing import Any, NamedTuple

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError

PAYLOAD_TYPE = "application/vnd.in-toto+json"
LARGEST = 2**24
"""Bytes of a file of envelopes."""
REMEDY = "ask the signer for the file as it was signed"


class Envelope(NamedTuple):
    """What an envelope holds; nothing in it is trustworthy before its signature was checked."""

    payload_type: str
    payload: bytes
    keyid: str
    signature: bytes


def signed_bytes(payload_type: str, payload: bytes) -> bytes:
    """What is signed: the pre-authentication encoding, by which no type can be taken for a part of a payload."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def encode(envelope: Envelope) -> bytes:
    """The one spelling of an envelope, with a newline at its end."""
    return canonical.dumps(
        {
            "payload": _text(envelope.payload),
            "payloadType": envelope.payload_type,
            "signatures": [{"keyid": envelope.keyid, "sig": _text(envelope.signature)}],
        }
    )


def decode(line: bytes, place: str) -> Envelope:
    """An envelope from its bytes.

    Raises:
        IntegrityError: naming what is not as `encode` writes it.
    """
    try:
        tree = canonical.loads(line, place)
    except UsageError as error:
        raise IntegrityError(place, "an envelope", error.problem, REMEDY) from error
    if not isinstance(tree, dict) or set(tree) != {"payload", "payloadType", "signatures"}:
        raise IntegrityError(place, "payload, payloadType and signatures", "other fields", REMEDY)
    kind = tree["payloadType"]
    if not isinstance(kind, str):
        raise IntegrityError(f"{place}: payloadType", "a text", type(kind).__name__, REMEDY)
    keyid, signature = _signature(tree["signatures"], f"{place}: signatures")
    found = Envelope(kind, _bytes(tree["payload"], f"{place}: payload"), keyid, signature)
    if encode(found) != line:
        raise IntegrityError(
            place,
            "canonical JSON in one line",
            "another spelling",
            "sort the keys, leave out blanks, end by one newline",
        )
    return found


def _signature(rows: Any, place: str) -> tuple[str, bytes]:
    if not isinstance(rows, list) or len(rows) != 1:
        found = f"{len(rows)} of them" if isinstance(rows, list) else type(rows).__name__
        raise IntegrityError(place, "one signature", found, "let every signer sign a file of its own")
    row = rows[0]
    if not isinstance(row, dict) or set(row) != {"keyid", "sig"} or not isinstance(row["keyid"], str):
        raise IntegrityError(place, "keyid and sig", "other fields", REMEDY)
    return row["keyid"], _bytes(row["sig"], f"{place}: sig")


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: Any, place: str) -> bytes:
    """Standard base64 in its only spelling: padded, and nothing in the bits that padding leaves over."""
    try:
        data = base64.b64decode(text, validate=True) if isinstance(text, str) else None
    except (binascii.Error, ValueError):
        data = None
    if data is None or _text(data) != text:
        raise IntegrityError(place, "standard base64 with padding", "something else", REMEDY)
    return data
