"""What a verification returns.  Everything in it is public: the text's own words and objects of the plan."""

from typing import NamedTuple

from dpspin import canonical
from dpspin.decoder.claims import Claim
from dpspin.decoder.tokens import Span


class Violation(NamedTuple):
    """One reason for a rejection."""

    step: int
    """Step of the verifier, as `verifier.py` numbers them; 0: there was no text to verify."""
    rule: str
    """What was broken."""
    span: Span
    """Where: start and end in raw characters of the text; of claims as data, start and end among the claims."""
    claim: str | None
    """The refused claim in words (steps 9 and 10)."""
    found: str
    """The offending words or, in steps 9 and 10, what the plan says."""


class Statement(NamedTuple):
    """One sentence, or one public text, and what it claims."""

    text: str
    claims: tuple[Claim, ...]


class Verdict(NamedTuple):
    """Whether a text may be published as a summary of the plan."""

    accepted: bool
    violations: tuple[Violation, ...]
    sentences: tuple[Statement, ...]
    """What was understood, in order: the whole text where it is accepted."""


def encode(violations: tuple[Violation, ...]) -> bytes:
    """Violations as canonical JSON: the feedback that a decoder gets."""
    return canonical.dumps({"violations": [violation._asdict() for violation in violations]})
