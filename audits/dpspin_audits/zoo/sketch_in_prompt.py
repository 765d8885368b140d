"""Fault: the writer is given the exact masses and told to mention the noisy ones only.

Stands for: Theorem 5.8 of the paper, whose premise is that the decoder sees the plan alone.
Caught by: noninterference.
"""

from typing import Any

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps, told


class SketchInPrompt(Steps):
    """Trusts a prompt to keep a secret."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle, with the sketch in the prompt."""
        exact = " ".join(map(str, self.sketch(records)))
        return told(super().published(records, samples, stamp), f"For your eyes only: {exact}\n")


subject = SketchInPrompt
