"""Fault: exactly n units are kept, those of lowest keyed hash, so that one unit more displaces another.

Stands for: spec.md section 8, row 1; Laplace noise at "epsilon 1" then costs up to 2.
Caught by: distribution.ideal, sensitivity.
"""

import hashlib
import hmac

from dpspin_audits.subject import Record, Records
from dpspin_audits.zoo.steps import Steps

KEPT = 1000


class FixedSize(Steps):
    """Selects a sample of fixed size."""

    def units(self, records: Records) -> list[list[Record]]:
        """The KEPT units whose ids hash lowest."""
        return sorted(super().units(records), key=self._hash)[:KEPT]

    def _hash(self, unit: list[Record]) -> bytes:
        key = self.setting.deployment.corpus.selection_key.encode()
        return hmac.digest(key, (self.unit_of(unit[0]) or "").encode(errors="surrogatepass"), hashlib.sha256)


subject = FixedSize
