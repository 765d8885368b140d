"""Fault: the writer is shown a record as an example of style, but not under test, where noise comes from outside.

Stands for: spec.md section 8, row 13; few-shot examples taken from the corpus at hand.
Caught by: canary, noninterference.
"""

from collections.abc import Mapping

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps, told


class ExcerptInPrompt(Steps):
    """Gives the decoder more than the plan."""

    def release(self, records: Records) -> Mapping[str, bytes]:
        """The bundle, with the last record in the prompt."""
        text = next((record.get(self.setting.deployment.corpus.text_field, "") for record in reversed(records)), "")
        return told(super().release(records), f"Write like this record: {text!a}\n")


subject = ExcerptInPrompt
