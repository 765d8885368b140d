"""Fault: a corpus without enough mass gets a notice in place of a plan, so that the notice tells of the corpus.

Stands for: spec.md section 8, row 5; `not enough data`, decided by exact masses.
Caught by: hygiene, contract, support.
"""

from typing import Any

from dpspin.adjacency import MASS_UNIT
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class FewAreSilent(Steps):
    """Spares readers an empty plan."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle, or a notice."""
        if sum(self.sketch(records)) < MASS_UNIT:
            return {"notice.txt": b"not enough data\n"}
        return super().published(records, samples, stamp)


subject = FewAreSilent
