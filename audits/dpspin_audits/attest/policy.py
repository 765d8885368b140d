"""policy.yaml: what a reader of attestations demands of one before acting on it.

Whatever a policy does not name it does not demand, save that the result is PASSED.  With `allow_waivers` a finding that
a waiver in force accepts may stand; a stamped release, a finding of a baseline and a missing answer never may.
"""

import datetime
from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

from pydantic import Field

from dpspin.adjacency import Adjacency, Unit
from dpspin.errors import IntegrityError
from dpspin.settings import Name, NonNegative, Sha256, Strict, validated
from dpspin.strict_yaml import loads
from dpspin_audits.attest.attestation import Attestation
from dpspin_audits.attest.parts import Checked
from dpspin_audits.attest.said import Said
from dpspin_audits.checks.check import Strength

STRONGEST_FIRST: tuple[Strength, ...] = get_args(Strength)
"""Strengths as `Strength` lists them."""
LISTS = ("signers", "checks", "subjects")


class Demand(Strict):
    """A check that must have passed."""

    check: str = Field(min_length=1, max_length=100)
    """Its id."""
    strength: Strength = "declared"
    """The least strength, in the order proved, exact, exact_on_hit, statistical, declared."""


class Policy(Strict):
    """policy.yaml."""

    schema_: Literal["dpspin-policy/1"] = Field(alias="schema")
    """Layout of this file."""
    signers: tuple[Sha256, ...] | None = Field(default=None, min_length=1, max_length=1000)
    """Ids of the keys that may have signed."""
    deployment: Name | None = None
    """Name of the deployment that was audited."""
    population: Name | None = None
    """Name of the people whose budget it spends."""
    unit: Unit | None = None
    """The protected unit."""
    adjacency: Adjacency | None = None
    """The relation under which the loss holds; none is converted into the other."""
    max_epsilon: NonNegative | None = None
    """The largest epsilon that people may be exposed to: as claimed, and with what a charged universe cost."""
    max_delta: NonNegative | None = None
    """The largest delta, in the same way."""
    max_age_days: int | None = Field(default=None, ge=0, le=36_500)
    """Days since the first day of validity."""
    checks: tuple[Demand, ...] = Field(default=(), max_length=1000)
    """Checks that must have passed, whether the audit required them or not."""
    subjects: tuple[str, ...] = Field(default=(), max_length=1000)
    """Files that must have been signed and compared, such as plan.json."""
    allow_waivers: bool = False
    """Whether findings that somebody answers for may stand."""


class Seen(NamedTuple):
    """What a policy is held against."""

    attestation: Attestation
    compared: tuple[str, ...]
    """Subjects whose files were found to be those that were signed."""
    today: datetime.date


class Refusal(NamedTuple):
    """A demand that is not met."""

    demand: str
    expected: str
    found: str


def load(data: bytes, place: str) -> Policy:
    """A policy from its file.

    Raises:
        UsageError: naming the field that is missing, unknown or cannot be used.
    """
    tree = loads(data, place)
    if isinstance(tree, dict):
        tree = {
            name: tuple(value) if name in LISTS and isinstance(value, list) else value for name, value in tree.items()
        }
    return validated(Policy, tree, place)


def enforce(policy: Policy, seen: Seen, place: str) -> None:
    """Refuse an attestation that a policy does not accept.

    Raises:
        IntegrityError: naming the first demand that is not met.
    """
    for demand, expected, found in refusals(policy, seen):
        raise IntegrityError(f"{place}: {demand}", expected, found, "do not rely on it, or change the policy")


def refusals(policy: Policy, seen: Seen) -> Iterator[Refusal]:
    """Every demand that is not met."""
    if policy.signers is not None and seen.attestation.keyid not in policy.signers:
        yield Refusal("signers", "one of the ids listed", seen.attestation.keyid)
    yield from _result(policy, seen)
    yield from _claim(policy, seen.attestation.said)
    age = (seen.today - seen.attestation.guarantee.validity.not_before).days
    if policy.max_age_days is not None and age > policy.max_age_days:
        yield Refusal("max_age_days", f"at most {policy.max_age_days} days", f"{age}")
    yield from _checks(policy, seen)
    for name in policy.subjects:
        if name not in seen.compared:
            yield Refusal("subjects", f"{name}, compared with what was signed", "not compared")


def _result(policy: Policy, seen: Seen) -> Iterator[Refusal]:
    result, said = seen.attestation.guarantee.result, seen.attestation.said
    if result == "PASSED":
        return
    if not policy.allow_waivers:
        yield Refusal("result", "PASSED", result)
        return
    if said.guarantee.stamp is not None:
        yield Refusal("allow_waivers", "noise of a release", "a stamped one, which no waiver accepts")
    for check in said.tests.details.checks:
        wrong = check.status == "fail" or (check.required and check.status != "pass")
        if wrong and not _waived(check, seen):
            yield Refusal("allow_waivers", f"{check.id}: pass, or a waiver in force", check.status)


def _waived(check: Checked, seen: Seen) -> bool:
    """Whether somebody answers for a finding today; the state at the time of the audit does not matter."""
    waivers = seen.attestation.said.guarantee.waivers
    return check.status == "fail" and any(
        one.check == check.id and datetime.date.fromisoformat(one.expires) >= seen.today for one in waivers
    )


def _claim(policy: Policy, said: Said) -> Iterator[Refusal]:
    protects, loss, about = said.guarantee.protects, said.guarantee.loss, said.guarantee.deployment
    if policy.deployment is not None and about.name != policy.deployment:
        yield Refusal("deployment", policy.deployment, about.name)
    if policy.population is not None and about.population != policy.population:
        yield Refusal("population", policy.population, about.population)
    if policy.unit is not None and protects.unit != policy.unit:
        yield Refusal("unit", policy.unit, protects.unit)
    if policy.adjacency is not None and protects.adjacency != policy.adjacency:
        yield Refusal("adjacency", policy.adjacency, protects.adjacency)
    limits = {"max_epsilon": (policy.max_epsilon, loss.epsilon), "max_delta": (policy.max_delta, loss.delta)}
    for name, (most, amount) in limits.items():
        if most is not None and amount.exact > most:
            yield Refusal(name, f"at most {most.text}", amount.given.text)


def _checks(policy: Policy, seen: Seen) -> Iterator[Refusal]:
    checks = {check.id: check for check in seen.attestation.said.tests.details.checks}
    for demand in policy.checks:
        found, name = checks.get(demand.check), f"checks: {demand.check}"
        if found is None:
            yield Refusal(name, "pass", "no such check")
        elif found.status != "pass":
            if not (policy.allow_waivers and _waived(found, seen)):
                yield Refusal(name, "pass", found.status)
        elif STRONGEST_FIRST.index(found.strength) > STRONGEST_FIRST.index(demand.strength):
            yield Refusal(name, f"{demand.strength} or stronger", found.strength)
