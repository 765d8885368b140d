"""What an attestation says, typed: the fields of its predicates that a policy reads, and whether they agree."""

from collections.abc import Iterator, Mapping

from pydantic import ConfigDict, Field

from dpspin.adjacency import Adjacency, Unit
from dpspin.errors import IntegrityError, UsageError
from dpspin.settings import NonNegative, Strict, validated
from dpspin_audits.attest.outcome import Result
from dpspin_audits.attest.parts import Checked, Gap, Waived
from dpspin_audits.attest.statement import EXTENSION, REMEDY, Statement
from dpspin_audits.checks import provenance

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


class Share(Part):
    """A part of the loss."""

    epsilon: Amount
    delta: Amount


class Shares(Part):
    """What a sum is made of."""

    release: Share
    universe: Share
    """As declared: what building it from protected records cost."""


class Loss(Share):
    """The loss that one unit is exposed to: the claim, or its sum with the cost of a charged universe."""

    parts: Shares | None = None
    """Only where the universe is charged."""


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


def _amiss(found: Said) -> Iterator[tuple[str, str, str]]:
    """A loss in two spellings that differ, or one that leaves out what a charged universe cost: place, right, wrong."""
    loss, parts = found.guarantee.loss, found.guarantee.loss.parts
    shares: dict[str, Share] = {"loss": loss}
    if parts:
        shares |= {"loss.parts.release": parts.release, "loss.parts.universe": parts.universe}
    for path, share in shares.items():
        for name, amount in (("epsilon", share.epsilon), ("delta", share.delta)):
            if amount.given != amount.exact:
                yield f"{path}.{name}", amount.given.text, amount.exact.text
    judged = next((one.figures for one in found.tests.details.checks if one.id == provenance.ID), {})
    if (judged.get("provenance") == "charged") != (parts is not None):
        yield "loss.parts", f"parts where {provenance.ID} says charged, and nowhere else", "otherwise"
    elif parts:
        yield from _unequal(loss, parts, judged)


def _unequal(loss: Loss, parts: Shares, judged: Mapping[str, object]) -> Iterator[tuple[str, str, str]]:
    """A sum that is none, or a cost of the universe that is not the one which was read."""
    for name in ("epsilon", "delta"):
        whole, release, built = (getattr(share, name) for share in (loss, parts.release, parts.universe))
        if judged.get(name) != built.given.text:
            yield f"loss.parts.universe.{name}", f"the cost that {provenance.ID} read", built.given.text
        added = release.exact + built.exact
        if whole.exact != (min(added, 1) if name == "delta" else added):
            yield f"loss.{name}", "the sum of its parts", whole.given.text


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
    for field, right, seen in _amiss(found):
        raise IntegrityError(f"{place}: {field}", right, seen, REMEDY)
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
