"""Fault: the universe file tells how many auxiliary records touch each atom.

Stands for: spec.md section 8, row 11; supports of people who were promised nothing.
Caught by: hygiene.
"""

from typing import Any

from dpspin import canonical
from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps, relisted


class SupportsShown(Steps):
    """Publishes what it was built from."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle with another universe file."""
        files = super().published(records, samples, stamp)
        tree = canonical.loads(files["universe.json"], "universe.json")
        counted = {**tree, "auxiliary_support": [25 + atom for atom in range(self.width)]}
        return relisted(files, {"universe.json": canonical.dumps(counted)})


subject = SupportsShown
