"""Fault: floating-point noise on every atom, whose low-order bits betray what it was added to.

Stands for: Mironov 2012; IBM/differential-privacy-library #94; opendp/smartnoise-core #242.
Caught by: distribution.bits.
"""

from typing import Any

import numpy as np

from dpspin.accounting.calibration import LaplaceNoise
from dpspin.adjacency import MASS_UNIT
from dpspin.curator.noise import Bits
from dpspin_audits.reference_subject import Plans
from dpspin_audits.zoo.noises import typical, values_of
from dpspin_audits.zoo.steps import Steps, generator


class FloatNoise(Steps):
    """The right scale in the wrong arithmetic; hands over its doubles."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of float64 masses, in units of mass."""
        noise, draw = values_of(self.noise), generator(bits)
        law = draw.laplace if isinstance(noise, LaplaceNoise) else draw.normal
        noisy = np.asarray(exact) / MASS_UNIT + law(0, float(typical(noise) / MASS_UNIT), (runs, len(exact)))
        order = np.argsort(-noisy, axis=1, kind="stable")[:, : self.setting.deployment.plan.size]
        return Plans(order, np.take_along_axis(noisy, order, axis=1))


subject = FloatNoise
