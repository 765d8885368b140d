"""A claim of the paper and what became of it on one data set."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from dpspin_experiments.results.evidence import Evidence

Verdict = Literal["agrees", "differs", "not measured"]


class Finding(NamedTuple):
    """What became of a claim on one data set; "not measured" is never agreement."""

    verdict: Verdict
    measured: str
    """The figures that decided."""
    why: str = ""
    """Where it differs, or where agreement is not what it seems."""


class Claim(NamedTuple):
    """One statement of the paper."""

    id: str
    section: str
    text: str
    """In this project's words."""
    judge: Callable[[Evidence], Finding]


NOTHING = Finding("not measured", "The sweep has no such runs.")
NO_USERS = Finding("not measured", "The source names no users, or the sweep has no such runs.")


def verdict(agrees: bool) -> Verdict:
    """As a word."""
    return "agrees" if agrees else "differs"
