"""Fault: the folder lists a digest of every record, so that anyone can ask whether a text was among them.

Stands for: a data manifest for reproducibility; content-addressed storage.
Caught by: hygiene, canary, support, noninterference.
"""

import hashlib
from typing import Any

from dpspin import canonical
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class DigestsBeside(Steps):
    """Takes a hash for anonymous."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle and a manifest."""
        text = self.setting.deployment.corpus.text_field
        rows = [hashlib.sha256(record.get(text, "").encode(errors="surrogatepass")).hexdigest() for record in records]
        return {**super().published(records, samples, stamp), "manifest.json": canonical.dumps({"records": rows})}


subject = DigestsBeside
