"""Fault: the writer puts the time into its text, which then follows from more than the plan.

Stands for: spec.md section 8, row 13; a header with the date and the duration of the run.
Caught by: tripwire.
Needs: new processes.
"""

import time

from dpspin.decoder import template
from dpspin.decoder.attempts import Attempt, Prompt
from dpspin_audits.zoo.steps import Steps


def write(prompt: Prompt, attempts: tuple[Attempt, ...]) -> str:
    """The template's text with a date."""
    return f"As of {time.time():.0f}.\n{template.decoder(prompt, attempts)}"


class DecoderDated(Steps):
    """Names a writer that looks at a clock."""

    @property
    def writer(self) -> str:
        """Its address."""
        return f"{__name__}:write"


subject = DecoderDated
