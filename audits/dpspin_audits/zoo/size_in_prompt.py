"""Fault: the writer's prompt says how many records there are, but not under test, where noise comes from outside.

Stands for: a prompt template with `{len(df)}` in it; spec.md section 8, row 4.
Caught by: canary, noninterference.
"""

from typing import Any

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps, told


class SizeInPrompt(Steps):
    """Gives a writer some context."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle, with the size in the prompt."""
        files = super().published(records, samples, stamp)
        return files if stamp else told(files, f"You summarise {len(records)} records.\n")


subject = SizeInPrompt
