"""What an attestation says, typed: the fields of its predicates that a policy reads, and whether they agree."""

from pydantic import ConfigDict, Field

from dpspin.adjacency import Adjacency, Unit
from dpspin.errors import IntegrityError, UsageError
from dpspin.settings import NonNegative, Strict, validated
from dpspin_audits.attest.outcome import Result
from dpspin_audits.attest.parts import Checked, Gap, Waived
from dpspin_audits.attest.statement import EXTENSION, REMEDY, Statement

ALIKE = ("stamp", "waivers", "known", "notAssessed")
"""Fields that every statement of an attestation has, and that must be the same in all."""


class Part(Strict):
    """Fields that are read; others are left alone."""

    model_config = ConfigDict(extra="ignore")


class Protects(Part):
    """Whom the claim is about."""

    unit: Unit
    adjacency: Adjacency


class Amount(Part):
    """An exact number, in two spellings."""

    given: NonNegative
    exact: NonNegative


class Loss(Part):
    """The claimed loss."""

    epsilon: Amount
    delta: Amount


class About(Part):
    """The deployment."""

    name: str
    population: str


class Guarantee(Part):
    """The first predicate."""

    deployment: About
    protects: Protects
    loss: Loss
    stamp: str | None
    waivers: list[Waived]
    not_assessed: list[Gap] = Field(alias="notAssessed")


class Details(Part):
    """Our field in the second predicate."""

    checks: list[Checked]


class Tests(Part):
    """The second predicate."""

    result: Result
    details: Details = Field(alias=EXTENSION)


class Said(Part):
    """All of it."""

    guarantee: Guarantee
    tests: Tests
    verdict: str
    """Of the third predicate."""


def _denied(found: Said) -> str | None:
    """What in a statement does not go with a pass, whoever signed it."""
    checks = found.tests.details.checks
    if found.guarantee.stamp is not None:
        return "a stamp"
    if any(waiver.state == "in force" for waiver in found.guarantee.waivers):
        return "a waiver in force"
    bad = (one.id for one in checks if one.status == "fail" or (one.required and one.status != "pass"))
    return next(bad, None)


def read(guarantee: Statement, tests: Statement, summary: Statement, place: str) -> Said:
    """What three statements say.

    Raises:
        IntegrityError: when a field is missing, or one predicate contradicts another.
    """
    verdict = summary.predicate.get("verificationResult")
    tree = {"guarantee": guarantee.predicate, "tests": tests.predicate, "verdict": verdict}
    try:
        found = validated(Said, tree, place)
    except UsageError as error:
        raise IntegrityError(error.place, "predicates of dpspin", error.problem, REMEDY) from error
    for name, loss in (("epsilon", found.guarantee.loss.epsilon), ("delta", found.guarantee.loss.delta)):
        if loss.given != loss.exact:
            raise IntegrityError(f"{place}: loss.{name}", loss.given.text, loss.exact.text, REMEDY)
    extensions = (tests.predicate.get(EXTENSION), summary.predicate.get(EXTENSION))
    for name in ALIKE:
        for other in extensions:
            if not isinstance(other, dict) or other.get(name) != guarantee.predicate.get(name):
                raise IntegrityError(f"{place}: {name}", "what the first statement says", "something else", REMEDY)
    wrong = _denied(found) if guarantee.result == "PASSED" else None
    if wrong:
        raise IntegrityError(f"{place}: result", f"no PASSED beside {wrong}", "PASSED", REMEDY)
    granted = "PASSED" if guarantee.result == "PASSED" else "FAILED"
    if (found.tests.result, verdict) != (guarantee.result, granted):
        raise IntegrityError(f"{place}: result", guarantee.result, f"{found.tests.result} and {verdict}", REMEDY)
    return found
