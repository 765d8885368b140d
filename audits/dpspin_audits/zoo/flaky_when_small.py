"""Fault: a release of a single record fails now and then, and one of no record never does.

Stands for: spec.md section 8, row 5; time-outs and retries whose chance depends on protected data.
Caught by: support.
"""

import secrets
from typing import Any

from dpspin.adjacency import MASS_UNIT
from dpspin.errors import UsageError
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class FlakyWhenSmall(Steps):
    """Its failures tell what its plans hide."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle, if all goes well."""
        if not stamp and 0 < sum(self.sketch(records)) <= MASS_UNIT and secrets.randbelow(2):
            raise UsageError("release", "did not succeed", "try again")
        return super().published(records, samples, stamp)


subject = FlakyWhenSmall
