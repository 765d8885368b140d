"""Fault: exactly n units are kept, those of lowest keyed hash, so that one unit more displaces another.

Adding a unit then moves two atoms, and Laplace noise at "epsilon 1" costs up to 2 (spec.md section 8, row 1).
"""

import hashlib
import hmac

from dpspin_audits.subject import Record, Records
from dpspin_audits.zoo.steps import Steps

KEPT = 1000


class FixedSize(Steps):
    """Selects a sample of fixed size."""

    def kept(self, records: Records) -> Records:
        """The KEPT records whose ids hash lowest."""
        return sorted(records, key=self._hash)[:KEPT]

    def _hash(self, record: Record) -> bytes:
        corpus = self.setting.deployment.corpus
        return hmac.digest(corpus.selection_key.encode(), record[corpus.id_field].encode(), hashlib.sha256)


subject = FixedSize
