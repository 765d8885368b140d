"""Fault: users are told apart by a hash with a thousand values, and two users may share one bound.

Stands for: spec.md section 8, row 12; hash buckets, truncated digests, columns of fixed width.
Caught by: sensitivity.
Deployment: unit user.
"""

from zlib import crc32

from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps

BUCKETS = 1000


class IdsHashed(Steps):
    """Takes a hash for an identity."""

    def unit_of(self, record: Record) -> str | None:
        """A number below a thousand."""
        unit = super().unit_of(record)
        return unit and str(crc32(unit.encode(errors="surrogatepass")) % BUCKETS)


subject = IdsHashed
