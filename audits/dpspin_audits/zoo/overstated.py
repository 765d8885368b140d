"""Fault: the summary calls every atom larger than the next one, whatever the margin is.

Stands for: the comparison rule of the paper's section 3.4; a fluent text that reads more out of a plan than is in it.
Caught by: contract.
"""

from typing import Any

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps, relisted


class Overstated(Steps):
    """Says what readers like to hear."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle with one claim more."""
        files = super().published(records, samples, stamp)
        first, second, *_ = (self.setting.universe.labels[int(atom)] for atom in samples.atoms[0])
        text = files["summary.txt"].decode() + f"{first} has more support than {second}.\n" * 2
        return relisted(files, {"summary.txt": text.encode()})


subject = Overstated
