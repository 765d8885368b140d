"""Gates of a team: findings that somebody has answered for, and findings that are not new.

A waiver accepts the findings of one check until a day; a baseline accepts those that an earlier evidence already has.
Neither changes a verdict: both change what stops the line, and both are always shown.
"""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from dpspin import canonical
from dpspin.errors import UsageError
from dpspin.settings import Strict, spelt, validated
from dpspin.strict_yaml import loads
from dpspin_audits.checks.check import WORST_FIRST, Status

SCHEMA = "dpspin-waivers/1"
Day = Annotated[str, spelt(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", 'write a day such as "2027-06-30"')]
State = Literal["in force", "expired", "not needed"]


class Waiver(Strict):
    """Somebody answers for the findings of one check until a day."""

    check: str = Field(min_length=1, max_length=100)
    """Id of the check."""
    reason: str = Field(min_length=1, max_length=1000)
    """Why the finding is accepted."""
    approver: str = Field(min_length=1, max_length=200)
    """Who answers for it."""
    expires: Day
    """The last day on which it holds."""


class WaiverFile(Strict):
    """waivers.yaml."""

    schema_: Literal["dpspin-waivers/1"] = Field(alias="schema")
    """Layout of this file."""
    waivers: tuple[Waiver, ...] = Field(max_length=1000)
    """One for each check that is waived."""


class Held(NamedTuple):
    """A waiver and what became of it."""

    waiver: Waiver
    state: State


class Gate(NamedTuple):
    """What stops the line."""

    verdict: Status
    """The worst status of the required checks once waived and known findings are set aside."""
    waivers: tuple[Held, ...]
    known: tuple[str, ...]
    """Checks whose findings an earlier evidence already has."""


def load(data: bytes, place: str) -> tuple[Waiver, ...]:
    """Waivers of a file.

    Raises:
        UsageError: naming the field that is missing or cannot be used.
    """
    tree = loads(data, place)
    if isinstance(tree, dict) and isinstance(tree.get("waivers"), list):
        tree = {**tree, "waivers": tuple(tree["waivers"])}
    found = validated(WaiverFile, tree, place).waivers
    for at, waiver in enumerate(found):
        try:
            datetime.date.fromisoformat(waiver.expires)
        except ValueError:
            raise UsageError(f"{place}: waivers.{at}.expires", f"no such day: {waiver.expires}", "correct it") from None
        if waiver.check in {earlier.check for earlier in found[:at]}:
            raise UsageError(f"{place}: waivers.{at}.check", f"{waiver.check} is waived twice", "keep one")
    return found


def findings(data: bytes, place: str) -> frozenset[str]:
    """Ids of the failing checks of an earlier evidence.

    Raises:
        UsageError: when it is no evidence file.
    """
    tree = canonical.loads(data, place)
    checks = tree.get("checks") if isinstance(tree, dict) else None
    if not isinstance(checks, list) or not all(isinstance(check, Mapping) for check in checks):
        raise UsageError(place, "not an evidence file", "name the evidence.json of an earlier audit")
    return frozenset(str(check.get("id")) for check in checks if check.get("status") == "fail")


def gate(
    checks: Sequence[Mapping[str, Any]], waivers: Iterable[Waiver], known: frozenset[str], today: datetime.date
) -> Gate:
    """Hold checks against waivers and a baseline.

    Args:
        checks: the checks of the evidence.
        waivers: of the file; those whose day has passed accept nothing.
        known: checks that failed before (`findings`).
        today: the day of the audit; it does not enter the evidence.
    """
    failing = {check["id"] for check in checks if check["status"] == "fail"}
    held = tuple(Held(waiver, _state(waiver, failing, today)) for waiver in waivers)
    accepted = {one.waiver.check for one in held if one.state == "in force"} | (failing & known)
    counted = [check for check in checks if check["required"] or check["status"] == "fail"]
    worst = [check["status"] for check in counted if check["id"] not in accepted]
    worst += ["fail"] * any(one.state == "expired" for one in held)
    verdict: Status = next((status for status in WORST_FIRST if status in worst), "pass")
    return Gate(verdict, held, tuple(sorted(failing & known)))


def _state(waiver: Waiver, failing: set[str], today: datetime.date) -> State:
    """An expired waiver fails the gate, needed or not: somebody has to renew it or take it out."""
    if datetime.date.fromisoformat(waiver.expires) < today:
        return "expired"
    return "in force" if waiver.check in failing else "not needed"


def tree(found: Gate) -> dict[str, Any]:
    """What evidence and report show of a gate."""
    return {
        "verdict": found.verdict,
        "waivers": [{**held.waiver.model_dump(), "state": held.state} for held in found.waivers],
        "known": list(found.known),
    }
