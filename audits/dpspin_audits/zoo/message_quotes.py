"""Fault: the message of an exception quotes the record that caused it.

Stands for: spec.md section 8, row 22; `KeyError: {...}`, a stack trace with local variables.
Caught by: errors, canary.
"""

from dpspin.errors import UsageError
from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps


class MessageQuotes(Steps):
    """Explains itself."""

    def scores(self, record: Record) -> list[int]:
        """Scores of a record that has a text."""
        if self.setting.deployment.corpus.text_field not in record:
            raise UsageError("corpus", f"no text in {dict(record)}", "add one")
        return super().scores(record)


subject = MessageQuotes
