"""Fault: an atom weighs less the more records of the batch touch it, as inverse document frequencies do.

Stands for: spec.md section 8, row 10; term weights fitted on the protected corpus.
Caught by: locality, sensitivity.
"""

from collections import Counter

from dpspin.pipeline import Setting
from dpspin_audits.subject import Record, Records
from dpspin_audits.zoo.steps import Steps


class FittedWeights(Steps):
    """Fits its weights on the records that it protects."""

    def __init__(self, setting: Setting, seed: bytes | None = None) -> None:
        super().__init__(setting, seed)
        self._seen: Counter[int] = Counter()

    def sketch(self, records: Records) -> list[int]:
        """The sketch under weights of this batch."""
        scores = [Steps.scores(self, record) for record in records]
        self._seen = Counter(atom for row in scores for atom, score in enumerate(row) if score)
        return super().sketch(records)

    def scores(self, record: Record) -> list[int]:
        """Scores over the number of records that touch the atom."""
        return [1000 * score // max(self._seen[atom], 1) for atom, score in enumerate(super().scores(record))]


subject = FittedWeights
