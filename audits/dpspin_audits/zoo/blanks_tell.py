"""Fault: the plan is followed by as many blanks as there are records, which no parser sees.

Stands for: padding, alignment and compression that follow the size of the input.
Caught by: hygiene, noninterference.
"""

from typing import Any

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps, relisted


class BlanksTell(Steps):
    """Says nothing and shows how much."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle with a longer plan file."""
        files = super().published(records, samples, stamp)
        return relisted(files, {"plan.json": files["plan.json"].rstrip() + b" " * len(records) + b"\n"})


subject = BlanksTell
