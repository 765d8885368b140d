"""Whether outcomes agree with what stands beside them: figures, sentences, and the objects of the transcript.

A pass whose own figures speak against it was edited, and so was a list of checks from which one is missing, or a
transcript that was shortened.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from dpspin import __version__, canonical
from dpspin.settings import Number, validated
from dpspin.transcript import START
from dpspin_audits.attest.parts import Checked, Evidence, Exposure, Part
from dpspin_audits.checks import accounting, certificate, contract, distribution, hygiene
from dpspin_audits.checks.explain import explanations

TRANSCRIPT = "transcript.jsonl"


class Contradiction(NamedTuple):
    """A part that is not what the others make it."""

    part: str
    expected: str
    found: str


class _Costs(Part):
    """Figures of accounting.claim."""

    epsilon: Number
    delta: Number
    claimed: Number
    claimed_delta: Number


class _Loss(Part):
    epsilon: Number


class _Bets(Part):
    reached: int | None


class _Test(Part):
    about: str
    against: _Loss
    epsilon_at_least: Number
    bets: _Bets | None


class _Tests(Part):
    """Figures of the checks of distributions."""

    tests: list[_Test]


def contradictions(found: Evidence) -> Iterator[Contradiction]:
    """Every outcome that something beside it contradicts.

    Raises:
        UsageError: when figures are not laid out as this version writes them.
    """
    yield from _complete(found)
    yield from _passes(found)
    yield from _costs(found)
    yield from _measured(found)
    yield from _sentences(found)
    yield from _objects(found.exposures)
    yield from _covered(found)


def _complete(found: Evidence) -> Iterator[Contradiction]:
    """An audit of this version lists every check, also those that it did not run."""
    missing = sorted(explanations().keys() - {check.id for check in found.checks})
    if missing and found.tool.version == __version__:
        yield Contradiction("checks", f"{missing[0]}, which every audit lists", "a list without it")


def _passes(found: Evidence) -> Iterator[Contradiction]:
    for check in found.checks:
        if check.status == "pass" and (check.reason or check.remedy or check.location):
            yield Contradiction(f"checks: {check.id}", "nothing seen and nothing to do, since it passed", "a finding")


def _costs(found: Evidence) -> Iterator[Contradiction]:
    claim, judged = found.claim, found.check(accounting.CLAIM)
    if judged and judged.figures and judged.status in ("pass", "fail"):
        costs = validated(_Costs, judged.figures, f"checks: {judged.id}")
        if (costs.claimed, costs.claimed_delta) != (claim.epsilon, claim.delta):
            yield Contradiction("claim", f"the one that {judged.id} judged", "another")
        if judged.status == "pass" and (costs.epsilon > claim.epsilon or costs.delta > claim.delta):
            yield Contradiction(f"checks: {judged.id}", "at most what is claimed, since it passed", "more")
    certified = found.check(certificate.ID)
    stated, scale = certified.figures.get("stated") if certified else None, claim.scale.text if claim.scale else "none"
    if stated not in (None, scale):
        yield Contradiction("claim: scale", f"{stated}, which {certificate.ID} judged", scale)


def _measured(found: Evidence) -> Iterator[Contradiction]:
    largest = []
    for name in (distribution.IDEAL, distribution.BITS):
        judged = found.check(name)
        tests = validated(_Tests, judged.figures, f"checks: {name}").tests if judged and judged.figures else []
        largest += [test.epsilon_at_least for test in tests if test.about == "claim"]
        if judged and judged.status == "pass" and any(_refutes(test) for test in tests):
            yield Contradiction(f"checks: {name}", "no test that refutes, since it passed", "one that does")
    measured = found.accounting.measured
    if largest and (measured is None or measured.epsilon_at_least != max(largest)):
        yield Contradiction("accounting: measured", "the largest bound of the tests", "another")


def _refutes(test: _Test) -> bool:
    return test.epsilon_at_least > test.against.epsilon or (test.bets is not None and test.bets.reached is not None)


def _sentences(found: Evidence) -> Iterator[Contradiction]:
    if _passed(found, contract.ID) and not all(row.supported for row in found.summary):
        yield Contradiction("summary", f"supported sentences, since {contract.ID} passed", "one that is not")


def _passed(found: Evidence, name: str) -> bool:
    judged: Checked | None = found.check(name)
    return judged is not None and judged.status == "pass"


def _objects(exposures: list[Exposure]) -> Iterator[Contradiction]:
    """The transcript, written again line by line; it is listed by its own digest."""
    rows, lines, previous = [row for row in exposures if row.chain is not None], list[bytes](), START
    for at, row in enumerate(rows):
        lines.append(canonical.dumps(row.line() | {"previous": previous}))
        previous = str(row.chain)
        if canonical.digest(lines[-1]) != previous:
            yield Contradiction(f"exposures[{at}]: chain", "the digest of its line", previous)
        if row.text is not None and canonical.digest(row.text.encode()) != row.sha256:
            yield Contradiction(f"exposures[{at}]: text", f"SHA-256 {row.sha256}", "another text")
    whole, own = b"".join(lines), [row for row in exposures if row.chain is None and row.name == TRANSCRIPT]
    if rows and [(row.sha256, row.size) for row in own] != [(canonical.digest(whole), len(whole))]:
        yield Contradiction(f"exposures: {TRANSCRIPT}", "the transcript of the objects above it", "another")
    for one, other in pairwise(row.order for row in (*rows, *own)):
        if one is None or other != one + 1:
            yield Contradiction("exposures", "one order without gaps", f"{other} after {one}")


def _covered(found: Evidence) -> Iterator[Contradiction]:
    strange = [row.name for row in found.exposures if row.role is None or row.order is None]
    if strange and _passed(found, hygiene.ID):
        yield Contradiction(f"exposures: {strange[0]}", f"a role, since {hygiene.ID} passed", "none")
