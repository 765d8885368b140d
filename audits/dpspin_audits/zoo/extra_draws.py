"""Correct: draws that nobody needs are made before, between and after, and records are read in a random order.

Style: a program that uses its generator for more than noise.
"""

import random
from typing import Any

from dpspin.curator.noise import Bits
from dpspin_audits.subject import Record, Records
from dpspin_audits.zoo.steps import Steps


class ExtraDraws(Steps):
    """Draws, shuffles and throws away."""

    def units(self, records: Records) -> list[list[Record]]:
        """Units in an order that means nothing."""
        units = super().units(records)
        random.SystemRandom().shuffle(units)
        return units

    def noisy(self, exact: list[int], bits: Bits, runs: int) -> Any:
        """Plans, after noise that was drawn for nothing."""
        super().noisy([0] * len(exact), bits, 1)
        bits.words(int(bits.words(1)[0] % 7) + 1)
        return super().noisy(exact, bits, runs)


subject = ExtraDraws
