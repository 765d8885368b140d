"""The record of every decoder-visible object, in order and hash-chained (paper Theorem 5.8, spec.md section 5)."""

from dataclasses import dataclass
from typing import Literal

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError

Role = Literal["public", "dp", "post-processing"]
START = "0" * 64


@dataclass(frozen=True, slots=True)
class VisibleObject:
    """Bytes that a decoder or reader can see, and what covers them."""

    name: str
    role: Role
    """public: fixed before data; dp: covered by its charge; post-processing: computed from objects above it."""
    data: bytes
    charge: str | None
    """Id of the ledger's charge, for dp objects and what is computed from them."""


def is_charge_id(value: object) -> bool:
    """Whether a value can be the id of a ledger's charge: its number in four digits or more."""
    return isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) >= 4


def precedes(value: object, charge: str) -> bool:
    """Whether a value can be the id of a charge on an earlier line of the ledger than `charge`."""
    return is_charge_id(value) and 0 < int(str(value)) < int(charge)


def encode(objects: list[VisibleObject]) -> bytes:
    """transcript.jsonl: one canonical line an object, each holding the digest of the line before it."""
    lines: list[bytes] = []
    previous = START
    for order, seen in enumerate(objects, 1):
        lines.append(
            canonical.dumps(
                {
                    "order": order,
                    "name": seen.name,
                    "role": seen.role,
                    "charge": seen.charge,
                    "bytes": len(seen.data),
                    "sha256": canonical.digest(seen.data),
                    "previous": previous,
                    "text": seen.data.decode() if seen.role == "post-processing" else None,
                }
            )
        )
        previous = canonical.digest(lines[-1])
    return b"".join(lines)


def decode(data: bytes, place: str) -> list[dict[str, object]]:
    """The lines of a transcript, once the chain holds.

    The chain covers every line but the last, of which only the text is; and lines cut off at the end leave no trace.
    The digest of the last line, kept elsewhere (evidence), covers both.

    Raises:
        IntegrityError: naming the first line whose layout, order, chain or digest is broken.
    """
    rows: list[dict[str, object]] = []
    previous = START
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        row = _row(line, f"{place}: line {number}")
        if row["order"] != number or row["previous"] != previous:
            raise IntegrityError(f"{place}: line {number}", "an unbroken chain", "another order or predecessor", REPAIR)
        rows.append(row)
        previous = canonical.digest(line)
    return rows


def _row(line: bytes, where: str) -> dict[str, object]:
    """One line, if it is as `encode` writes it."""
    try:
        row = canonical.loads(line, where)
    except UsageError as error:
        raise IntegrityError(where, "canonical JSON", error.problem, REPAIR) from error
    if not isinstance(row, dict) or set(row) != FIELDS or canonical.dumps(row) != line:
        raise IntegrityError(where, "the canonical line of an object", "another layout", REPAIR)
    text = row["text"]
    if (row["role"] == "post-processing") != isinstance(text, str):
        raise IntegrityError(where, "a text exactly where the role is post-processing", "another role or text", REPAIR)
    if isinstance(text, str) and (canonical.digest(text.encode()), len(text.encode())) != (row["sha256"], row["bytes"]):
        raise IntegrityError(where, "the digest and length of the text", "another text", REPAIR)
    return row


FIELDS = {"order", "name", "role", "charge", "bytes", "sha256", "previous", "text"}
REPAIR = "restore the bundle as it was released"
