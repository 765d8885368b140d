"""Which unit a record belongs to, and which units are auxiliary or selected (spec.md section 8, rows 1, 11 and 12).

All of it is a function of one record and public keys, by a keyed hash of the unit's own id, so that one unit more or
less moves no other.
"""

import hmac
from collections.abc import Iterable, Iterator
from fractions import Fraction

from dpspin.corpus.jsonl import Record
from dpspin.deployment import Split, User

HASH_BITS = 128


def belongs(key: str, share: Fraction, unit: str) -> bool:
    """Whether an id falls into a share of all ids: HMAC-SHA256(key, id), first 128 bits, over 2^128, is below it.

    The comparison is exact.  Ids are hashed as they are; equal ids fall on the same side.
    """
    mac = hmac.digest(key.encode(), unit.encode(errors="surrogatepass"), "sha256")
    value = int.from_bytes(mac[: HASH_BITS // 8], "big")
    return value * share.denominator < share.numerator << HASH_BITS


def unit_of(record: Record, user: User | None) -> str | None:
    """The id of a record's unit, or None where it has none and contributes nothing.

    Args:
        record: one record.
        user: how users are told apart, or None where every record is a unit.

    Ids are compared exactly as given.  An empty user id is a missing one; records without one are never pooled.
    """
    if user is None:
        return record.id
    if record.user:
        return f"user {record.user}"
    return f"record {record.id}" if user.on_missing_user == "own_unit" and record.id is not None else None


def auxiliary(records: Iterable[Record], split: Split, user: User | None = None) -> Iterator[Record]:
    """Records of units that may shape atoms and weights and are never released."""
    return (record for record in records if _is_auxiliary(record, split, user) is True)


def protected(records: Iterable[Record], split: Split, user: User | None = None) -> Iterator[Record]:
    """Records of units that a release protects.  A record without a unit is in neither half."""
    return (record for record in records if _is_auxiliary(record, split, user) is False)


def _is_auxiliary(record: Record, split: Split, user: User | None) -> bool | None:
    unit = unit_of(record, user)
    return None if unit is None else belongs(split.key, split.auxiliary_share, unit)
