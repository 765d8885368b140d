"""Whether the parts of evidence belong together: whatever follows from another part is computed again."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dpspin import canonical
from dpspin.errors import IntegrityError
from dpspin.settings import Exact
from dpspin_audits import evidence
from dpspin_audits.attest import grounds
from dpspin_audits.attest.grounds import Contradiction
from dpspin_audits.attest.parts import Evidence
from dpspin_audits.checks import certificate, hygiene, provenance
from dpspin_audits.checks.check import Check

REMEDY = "audit again, and trust neither"


def check(found: Evidence, place: str) -> None:
    """Refuse evidence whose parts do not belong together.

    Raises:
        IntegrityError: naming the first part.
    """
    for part, expected, seen in contradictions(found):
        raise IntegrityError(f"{place}: {part}", expected, seen, REMEDY)


def contradictions(found: Evidence) -> Iterator[Contradiction]:
    """Every part that is not what the others make it."""
    yield from _checks(found)
    yield from _gaps(found)
    yield from _certificates(found)
    yield from _bundle(found)
    yield from _universe(found)
    yield from _gate(found)
    yield from grounds.contradictions(found)


def _checks(found: Evidence) -> Iterator[Contradiction]:
    ids = [check.id for check in found.checks]
    for name in sorted({name for name in ids if ids.count(name) > 1}):
        yield Contradiction("checks", f"{name} once", "twice")
    made = [Check(one.id, one.status, one.strength, one.summary) for one in found.checks]
    required = {check.id for check in found.checks if check.required}
    for name in sorted(set(evidence.SMOKE) - required):
        yield Contradiction("checks", f"{name}, required", "another list")
    verdict = evidence.verdict(made, sorted(required))
    if verdict != found.verdict:
        yield Contradiction("verdict", f"{verdict}, as follows from the checks", found.verdict)
    if evidence.strengths_tree(made) != found.strengths:
        yield Contradiction("strengths", "the counts of the checks", "other counts")


def _gaps(found: Evidence) -> Iterator[Contradiction]:
    listed = {gap.id for gap in found.not_assessed}
    for name in sorted({check.id for check in found.checks if check.status == "not_run"} - listed):
        yield Contradiction("not_assessed", f"{name}, which was not run", "a list without it")


def _certificates(found: Evidence) -> Iterator[Contradiction]:
    for at, tree in enumerate(found.certificates):
        fault = certificate.fault(canonical.dumps(tree)) or _stranger(tree, found)
        if fault:
            yield Contradiction(f"certificates[{at}]", "a certificate of the claim that holds", fault)
    judged = found.check(certificate.ID)
    seal = judged.figures.get("seal") if judged else None
    if seal is not None and [tree.get("seal") for tree in found.certificates] != [seal]:
        yield Contradiction("certificates", "the one that accounting.certificate names", "others")


def _stranger(tree: dict[str, Any], found: Evidence) -> str | None:
    """How a true certificate is about another claim; its fields are those that its checker has read."""
    claim = found.claim
    other = [name for name in ("mechanism", "adjacency") if str(tree[name]) != getattr(claim, name)]
    other += [
        name for name in ("mass_bound", "epsilon", "delta") if Fraction(Exact(str(tree[name]))) != getattr(claim, name)
    ]
    return f"one of another claim ({', '.join(other)})" if other else None


def _bundle(found: Evidence) -> Iterator[Contradiction]:
    """Stamp and plan, and digests of files that the audit saw; where hygiene complains, files may differ."""
    stamp = found.plan.get("stamp") if found.plan else None
    if stamp != found.stamp:
        yield Contradiction("stamp", "that of the plan", "another")
    clean = (judged := found.check(hygiene.ID)) is not None and judged.status == "pass"
    shown = {row.name: row.sha256 for row in found.exposures}
    own = {"deployment.yaml": found.deployment.sha256}
    if found.plan is not None:
        own["plan.json"] = canonical.digest(canonical.dumps(found.plan))
    for name, digest in own.items():
        if clean and shown.get(name, digest) != digest:
            yield Contradiction(f"exposures: {name}", digest, shown[name])
    if clean and found.plan is not None and "plan.json" not in shown:
        yield Contradiction("exposures", "plan.json, since there is a plan", "a list without it")


def _universe(found: Evidence) -> Iterator[Contradiction]:
    """A charged universe: its cost where its provenance says so, the sum with the claim, and the check's figures."""
    built, total, claim = found.accounting.universe, found.accounting.total, found.claim
    if len({found.deployment.provenance == "charged", built is not None, total is not None}) > 1:
        yield Contradiction("accounting: universe", f"as provenance {found.deployment.provenance} has it", "otherwise")
    judged = found.check(provenance.ID)
    said = judged.figures if judged else {}
    if said.get("provenance", found.deployment.provenance) != found.deployment.provenance:
        yield Contradiction("deployment: provenance", f"what {provenance.ID} says", found.deployment.provenance)
    if built is None or total is None:
        return
    if (said.get("epsilon"), said.get("delta")) != (built.epsilon.text, built.delta.text):
        yield Contradiction("accounting: universe", f"the cost that {provenance.ID} read", "another")
    if total.epsilon != claim.epsilon + built.epsilon or total.delta != min(claim.delta + built.delta, 1):
        yield Contradiction("accounting: total", "the sum of claim and universe", "another number")
    rows = [row for row in found.exposures if row.name == "universe.json" and row.role is not None]
    if [row.charge for row in rows if row.charge is not None] != ([built.id] if built.id else []):
        yield Contradiction("accounting: universe: id", "the charge of universe.json", str(built.id))


def _gate(found: Evidence) -> Iterator[Contradiction]:
    failing = {check.id for check in found.checks if check.status == "fail"}
    held = {waiver.check for waiver in found.gate.waivers if waiver.state == "in force"} if found.gate else set()
    for name in sorted((held | set(found.gate.known if found.gate else ())) - failing):
        yield Contradiction("gate", f"{name} to fail, since its finding is set aside", "no such finding")
