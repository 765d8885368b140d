"""Fault: the claim states an exponent of admission twice the one that runs, and an epsilon too small for it.

Stands for: documentation and code that drift apart; a privacy notice that was written for another version.
Caught by: accounting.claim.
Deployment: mechanism top_l.
"""

from dataclasses import replace
from fractions import Fraction

from dpspin.pipeline import Setting
from dpspin_audits.zoo.steps import Steps


class ClaimMisstated(Steps):
    """Keeps its promise and cannot know it from what it says."""

    def __init__(self, setting: Setting, seed: bytes | None = None) -> None:
        super().__init__(setting, seed)
        self.claim = replace(self.claim, exponent=2 * (self.claim.exponent or Fraction(1)))


subject = ClaimMisstated
