"""Fault: floating-point Laplace noise, whose low-order bits betray the number it was added to (Mironov 2012)."""

from typing import Any

import numpy as np

from dpspin.adjacency import MASS_UNIT
from dpspin.curator.noise import Bits
from dpspin_audits.reference_subject import Plans
from dpspin_audits.zoo.steps import Steps, generator


class FloatNoise(Steps):
    """The right scale in the wrong arithmetic; hands over its doubles."""

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans of float64 masses, in units of mass."""
        scale = float(self.setting.deployment.noise_scale(len(exact)) / MASS_UNIT)
        noisy = np.asarray(exact) / MASS_UNIT + generator(bits).laplace(0, scale, (runs, len(exact)))
        order = np.argsort(-noisy, axis=1, kind="stable")[:, : self.setting.deployment.plan.size]
        return Plans(order, np.take_along_axis(noisy, order, axis=1))


subject = FloatNoise
