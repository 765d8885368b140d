"""Correct: records are sorted by user, and each user's run of records is clipped when it ends.

Style: sort and merge, one user in memory at a time.
Deployment: unit user.
"""

from itertools import groupby

from dpspin import kernel
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class BySorting(Steps):
    """As a program would that works on tapes."""

    def sketch(self, records: Records) -> list[int]:
        """The exact sketch."""
        total, keyed = [0] * self.width, [(self.unit_key(record), record) for record in records]
        tape = sorted(((key, record) for key, record in keyed if key is not None), key=lambda row: row[0])
        for _, rows in groupby(tape, key=lambda row: row[0]):
            user = [0] * self.width
            for _, record in rows:
                user = [mass + part for mass, part in zip(user, self.share(record), strict=True)]
            total = kernel.absorb(total, user, self.bound)
        return total


subject = BySorting
