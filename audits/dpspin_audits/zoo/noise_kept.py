"""Fault: noise is drawn once and kept for all releases, so that the difference of two releases is exact.

Stands for: a cached query result; noise keyed by the name of the query.
Caught by: rng.
"""

from functools import cache
from typing import Any

from dpspin.curator.full_sketch import admit
from dpspin.curator.noise import Bits, Integers, SystemBits
from dpspin_audits.zoo.noises import signed, values_of
from dpspin_audits.zoo.steps import Steps


class NoiseKept(Steps):
    """Every release alone has the right law."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans; a single one is made with the noise that was kept."""
        if runs > 1:
            return super().noisy(exact, bits, runs)
        return admit(exact, _kept(values_of(self.noise), len(exact)), self.setting.deployment.plan.size)


@cache
def _kept(noise: Any, width: int) -> Integers:
    return signed(noise, (1, width), SystemBits())


subject = NoiseKept
