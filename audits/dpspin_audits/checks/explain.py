"""What every check asks, why its answer holds, how often it is wrong, and what to do: the text behind an id."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from dpspin.errors import UsageError
from dpspin_audits.checks import conduct


class Explanation(NamedTuple):
    """The text of one check."""

    question: str
    argument: str
    """Why a result holds: a theorem, or what a hit is."""
    false_alarms: str
    """How often a correct implementation is accused."""
    on_failure: str
    """What to do."""
    sees: str
    """What a subject must offer, the strongest variant first."""
    references: tuple[str, ...]
    """Authors and years."""


VARIANTS = {conduct.PROCESSES: conduct.ID}
"""Listed where something of a check could not run; explained by that check."""


@cache
def explanations() -> dict[str, Explanation]:
    """Every explanation, by the id of its check."""
    tables = tomllib.loads(files("dpspin_audits.checks").joinpath("explanations.toml").read_text(encoding="utf-8"))
    return {id_: Explanation(**{**table, "references": tuple(table["references"])}) for id_, table in tables.items()}


def explanation(id_: str) -> Explanation:
    """The explanation of one check.

    Raises:
        UsageError: when there is no such check.
    """
    known = explanations()
    found = VARIANTS.get(id_, id_)
    if found not in known:
        raise UsageError(f"{id_!a}", "is the id of no check", f"write one of {', '.join(sorted(known))}")
    return known[found]
