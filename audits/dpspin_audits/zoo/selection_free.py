"""Fault: the epsilon of the released values is claimed, and admission, which spends as much again, is forgotten.

Stands for: composition left out; IBM/differential-privacy-library #104, one share of the budget for two queries.
Caught by: accounting.claim, sensitivity.
Deployment: mechanism top_l.
"""

from dataclasses import replace
from fractions import Fraction

from dpspin.accounting.calibration import value_epsilon
from dpspin.pipeline import Setting
from dpspin_audits.zoo.steps import Steps


class SelectionFree(Steps):
    """Counts the second of two queries."""

    def __init__(self, setting: Setting, seed: bytes | None = None) -> None:
        super().__init__(setting, seed)
        self.claim = replace(self.claim, epsilon=Fraction(value_epsilon(setting.deployment.mechanism)))


subject = SelectionFree
