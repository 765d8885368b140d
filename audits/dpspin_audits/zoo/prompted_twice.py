"""Fault: where little is in the corpus, the writer is asked again now and then, and the transcript has one line more.

Stands for: attempts that depend on protected data; spec.md section 8, row 13.
Caught by: support.
"""

import secrets
from typing import Any

from dpspin import transcript
from dpspin.adjacency import MASS_UNIT
from dpspin.transcript import VisibleObject
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps, visible


class PromptedTwice(Steps):
    """Every line of its transcript is harmless, and their number is not."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle, with another prompt where there is hardly a record."""
        files = super().published(records, samples, stamp)
        if stamp or sum(self.sketch(records)) > MASS_UNIT or not records or secrets.randbelow(2):
            return files
        again = VisibleObject("prompt-2", "post-processing", b"Once more, please.\n", None)
        return {**files, "transcript.jsonl": transcript.encode([*visible(files), again])}


subject = PromptedTwice
