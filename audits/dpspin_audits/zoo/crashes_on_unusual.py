"""Fault: a text with an infinite number in it ends the release, and everyone learns that there was one.

Stands for: opendp/smartnoise-sdk #574, where `inf` raises; OpenMined/PySyft #6956.
Caught by: errors.
"""

from dpspin.errors import UsageError
from dpspin_audits.subject import Record
from dpspin_audits.zoo.steps import Steps

INFINITE = {"inf", "infinity", "nan", "1e999"}


class CrashesOnUnusual(Steps):
    """Validates with protected values."""

    def scores(self, record: Record) -> list[int]:
        """Scores of a text that is usual."""
        if record.get(self.setting.deployment.corpus.text_field, "").strip().lower() in INFINITE:
            raise UsageError("corpus", "a value is not finite", "clean the corpus")
        return super().scores(record)


subject = CrashesOnUnusual
