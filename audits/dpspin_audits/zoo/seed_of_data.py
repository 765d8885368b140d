"""Fault: the seed of the noise is a digest of the records, so that equal corpora give equal releases.

Stands for: spec.md section 8, row 2; noise made reproducible by hashing its input.
Caught by: rng.
"""

import hashlib

from dpspin.curator.noise import Bits, SeededBits
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class SeedOfData(Steps):
    """Whoever guesses the records knows the noise."""

    def bits(self, records: Records) -> Bits:
        """A digest of the records."""
        known = repr(sorted(sorted(record.items()) for record in records))
        return SeededBits(hashlib.sha256(known.encode()).digest())


subject = SeedOfData
