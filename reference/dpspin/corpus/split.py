"""Two disjoint halves by a keyed hash of the record's own id (spec.md section 8, rows 1 and 11).

Whether an id is kept depends on nothing but the id and the key, so that one record more or less moves no other.
"""

import hmac
from collections.abc import Iterable, Iterator
from fractions import Fraction

from dpspin.corpus.jsonl import Record
from dpspin.deployment import Split

HASH_BITS = 128


def belongs(key: str, share: Fraction, record_id: str) -> bool:
    """Whether an id falls into a share of all ids: HMAC-SHA256(key, id), first 128 bits, over 2^128, is below it.

    The comparison is exact.  Ids are hashed as they are; equal ids fall on the same side.
    """
    mac = hmac.digest(key.encode(), record_id.encode(errors="surrogatepass"), "sha256")
    value = int.from_bytes(mac[: HASH_BITS // 8], "big")
    return value * share.denominator < share.numerator << HASH_BITS


def auxiliary(records: Iterable[Record], split: Split) -> Iterator[Record]:
    """Records that may shape atoms and weights and are never released."""
    return (r for r in records if r.id is not None and belongs(split.key, split.auxiliary_share, r.id))


def protected(records: Iterable[Record], split: Split) -> Iterator[Record]:
    """Records that a release protects.  A record without a string id is in neither half."""
    return (r for r in records if r.id is not None and not belongs(split.key, split.auxiliary_share, r.id))
