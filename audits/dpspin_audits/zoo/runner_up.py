"""Fault: the plan states the mass of the best atom that was not admitted, so that readers see how close it was.

Stands for: values of atoms outside the released set; nothing was spent on them under sparse admission.
Caught by: hygiene, contract.
Deployment: mechanism top_l.
"""

from typing import Any

from dpspin import canonical
from dpspin.curator.noise import SystemBits
from dpspin_audits.subject import Records
from dpspin_audits.zoo.noises import signed, values_of
from dpspin_audits.zoo.steps import Steps, relisted


class RunnerUp(Steps):
    """Adds noise to it, too, and no charge."""

    def published(self, records: Records, samples: Any, stamp: str | None = None) -> dict[str, bytes]:
        """The bundle with one number more."""
        files, exact = super().published(records, samples, stamp), self.sketch(records)
        left = max(mass for atom, mass in enumerate(exact) if atom not in samples.atoms[0])
        shown = left + int(signed(values_of(self.noise), (1, 1), SystemBits())[0, 0])
        tree = canonical.loads(files["plan.json"], "plan.json")
        return relisted(files, {"plan.json": canonical.dumps({**tree, "runner_up": str(shown)})})


subject = RunnerUp
