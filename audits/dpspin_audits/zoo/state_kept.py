"""Fault: the running total of one release is where the next one starts.

Stands for: an aggregator that is made once and used for every request.
Caught by: sensitivity.
"""

from dpspin import kernel
from dpspin.pipeline import Setting
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class StateKept(Steps):
    """Never sets its total back to zero."""

    def __init__(self, setting: Setting, seed: bytes | None = None) -> None:
        super().__init__(setting, seed)
        self._total = [0] * len(setting.universe)

    def sketch(self, records: Records) -> list[int]:
        """The sum of everything that this instance has seen."""
        self._total = kernel.add([self._total, super().sketch(records)], self.width)
        return self._total


subject = StateKept
