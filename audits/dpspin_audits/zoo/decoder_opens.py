"""Fault: the writer opens the corpus to look for a quotation, and uses none.

Stands for: Theorem 5.8 of the paper, whose premise is that the decoder sees the plan alone; retrieval for a model.
Caught by: tripwire.
Needs: new processes.
"""

from contextlib import suppress
from pathlib import Path

from dpspin.decoder import template
from dpspin.decoder.attempts import Attempt, Prompt
from dpspin_audits.zoo.steps import Steps

CORPUS = Path("corpus.jsonl")


def write(prompt: Prompt, attempts: tuple[Attempt, ...]) -> str:
    """The template's text, after a look at what is not the plan."""
    with suppress(OSError):
        CORPUS.read_bytes()
    return template.decoder(prompt, attempts)


class DecoderOpens(Steps):
    """Names a writer that reaches beyond the plan."""

    @property
    def writer(self) -> str:
        """Its address."""
        return f"{__name__}:write"


subject = DecoderOpens
