"""Fault: releases cost nothing by the subject's own account, and differ.

Stands for: a budget that is checked and never reduced; world-federation-of-advertisers/cross-media-measurement #2209.
Caught by: budget.
"""

from fractions import Fraction

from dpspin_audits.zoo.steps import Steps


class FreeOfCharge(Steps):
    """Forgets to write the charge down."""

    def spent(self) -> tuple[Fraction, Fraction]:
        """Nothing."""
        return Fraction(0), Fraction(0)


subject = FreeOfCharge
