"""Correct: a black box in plain Python integers, which shows nothing but its releases.

Style: no numpy, no batches, no stages; randomness from `secrets`.
"""

import secrets
from collections.abc import Mapping

from dpspin import kernel, pipeline, plan
from dpspin.pipeline import Setting
from dpspin_audits.reference_subject import claim_of
from dpspin_audits.subject import Records
from dpspin_audits.zoo.noises import typical, values_of
from dpspin_audits.zoo.steps import Steps


class BigIntegers:
    """Laplace noise one number at a time (Canonne, Kamath and Steinke 2020)."""

    def __init__(self, setting: Setting) -> None:
        self.claim, self._setting = claim_of(setting), setting

    def fresh(self) -> "BigIntegers":
        """Another one."""
        return BigIntegers(self._setting)

    def release(self, records: Records) -> Mapping[str, bytes]:
        """The bundle of one plan."""
        scale = typical(values_of(self._setting.noise))
        noisy = [mass + _laplace(scale.numerator, scale.denominator) for mass in Steps(self._setting).sketch(records)]
        pairs = [(atom, noisy[atom]) for atom in kernel.highest(noisy, self._setting.deployment.plan.size)]
        return pipeline.publish(plan.build(pairs, self._setting.terms()), self._setting, None)


def _laplace(t: int, s: int) -> int:
    """P(x) proportional to exp(-|x| s / t)."""
    while True:
        low, turns = secrets.randbelow(t), 0
        if not _survives(low, t):
            continue
        while _survives(1, 1):
            turns += 1
        size, negative = (low + t * turns) // s, secrets.randbelow(2)
        if size or not negative:
            return -size if negative else size


def _survives(gap: int, per: int) -> bool:
    """Bernoulli(exp(-gap / per)) for gap <= per."""
    k = 1
    while secrets.randbelow(per * k) < gap:
        k += 1
    return k % 2 == 1


subject = BigIntegers
