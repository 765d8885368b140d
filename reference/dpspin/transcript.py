"""The record of every decoder-visible object, in order and hash-chained (paper Theorem 5.8, spec.md section 5)."""

from dataclasses import dataclass
from typing import Literal

from dpspin import canonical
from dpspin.errors import IntegrityError

Role = Literal["public", "dp", "post-processing"]
START = "0" * 64


@dataclass(frozen=True, slots=True)
class VisibleObject:
    """Bytes that a decoder or reader can see, and what covers them."""

    name: str
    role: Role
    """public: fixed before data; dp: covered by the charge; post-processing: computed from objects above it."""
    data: bytes
    charge: str | None
    """Id of the ledger's charge, for dp objects and what is computed from them."""


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

    Raises:
        IntegrityError: naming the first line whose order, chain or digest is broken.
    """
    rows: list[dict[str, object]] = []
    previous = START
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        row = canonical.loads(line, f"{place}: line {number}")
        if not isinstance(row, dict) or row.get("order") != number or row.get("previous") != previous:
            raise IntegrityError(f"{place}: line {number}", "an unbroken chain", "another order or predecessor", REPAIR)
        text = row.get("text")
        if text is not None and canonical.digest(str(text).encode()) != row.get("sha256"):
            raise IntegrityError(f"{place}: line {number}", "the digest of the text", "another text", REPAIR)
        rows.append(row)
        previous = canonical.digest(line)
    return rows


REPAIR = "restore the bundle as it was released"
