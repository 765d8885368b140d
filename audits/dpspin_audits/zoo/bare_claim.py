"""Correct: epsilon and delta are promised and nothing is said of the mechanism.

Style: a claim as most products make it.
Deployment: mechanism gaussian.
"""

from dataclasses import replace

from dpspin.pipeline import Setting
from dpspin_audits.zoo.steps import Steps


class BareClaim(Steps):
    """Keeps its mechanism to itself."""

    def __init__(self, setting: Setting, seed: bytes | None = None) -> None:
        super().__init__(setting, seed)
        self.claim = replace(self.claim, mechanism=None, scale=None)


subject = BareClaim
