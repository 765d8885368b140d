"""Fault: a release adds half of the noise that is sampled, and that is asked for from outside.

Stands for: a fast path for simulations beside the one that publishes, and a constant that was mended in one of them.
Caught by: sampling.
"""

from collections.abc import Mapping

from dpspin_audits.subject import Records
from dpspin_audits.zoo.noises import released, weaker
from dpspin_audits.zoo.steps import Steps


class SampledOtherwise(Steps):
    """Shows what it should do, and does something else."""

    def release(self, records: Records) -> Mapping[str, bytes]:
        """The bundle of one plan with too little noise."""
        self._releases += 1
        noise, size = weaker(self.noise, 2), self.setting.deployment.plan.size
        return self.published(records, released(self.sketch(records), noise, size, self.bits(records), 1))


subject = SampledOtherwise
