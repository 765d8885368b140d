"""The three predicates of an attestation: what is promised, what was tried, and what a verifier concluded.

The second and third have the layout of in-toto's test result v0.1 and of SLSA's verification summary v1; what we add
stands in one field of ours (`statement.EXTENSION`).  No time is measured: days are those that the signer declares.
"""

from typing import Any, NamedTuple

from dpspin import canonical
from dpspin.settings import Exact
from dpspin_audits.attest import outcome, unprotected
from dpspin_audits.attest.parts import Built, Checked, Evidence, Loss
from dpspin_audits.attest.statement import EXTENSION, GUARANTEE, OURS, SUMMARY, TEST_RESULT
from dpspin_audits.attest.subjects import Subject
from dpspin_audits.attest.validity import Validity

VERIFIER = f"{OURS}verifier"
POLICY = f"{OURS}policy/required-checks/v1"
LEVEL = "DPSPIN_REQUIRED_CHECKS"
"""What the verification summary grants; its specification keeps names that begin with SLSA_ to itself."""
LISTED = {"pass": "passedTests", "inconclusive": "warnedTests", "fail": "failedTests", "error": "failedTests"}
"""Where a check stands in a test result; one that was not run is no test, and stands in `notAssessed` alone."""


class Terms(NamedTuple):
    """What a signer adds to the evidence."""

    validity: Validity
    verifier: str = VERIFIER
    """URI of whoever answers for the audit."""


def predicates(found: Evidence, subjects: tuple[Subject, ...], terms: Terms) -> dict[str, dict[str, Any]]:
    """The predicate of every type, in the order of `statement.KINDS`."""
    common = {
        "result": outcome.result(found),
        "validity": terms.validity.tree(),
        "stamp": found.stamp,
        "waivers": [row.model_dump() for row in found.gate.waivers] if found.gate else [],
        "known": list(found.gate.known) if found.gate else [],
        "notAssessed": [row.model_dump() for row in found.not_assessed],
    }
    return {
        GUARANTEE: _guarantee(found) | common,
        TEST_RESULT: _test_result(found, subjects, common),
        SUMMARY: _summary(found, terms, common),
    }


def _guarantee(found: Evidence) -> dict[str, Any]:
    claim, books, d = found.claim, found.accounting, found.deployment
    return {
        "deployment": {
            "name": d.name,
            "population": d.population,
            "declaredAt": d.declared_at,
            "synthetic": d.synthetic,
        },
        "protects": {
            "unit": claim.unit,
            "adjacency": claim.adjacency,
            "missingIds": claim.missing_ids,
            "notProtected": unprotected.sentences(found),
        },
        "loss": _exposed(found),
        "mechanism": _mechanism(found),
        "accounted": _loss(books.accounted) if books.accounted else None,
        "charges": _charges(found),
        "budget": _loss(books.budget),
        "certificates": [
            {"schema": tree.get("schema"), "seal": tree.get("seal"), "sha256": canonical.digest(canonical.dumps(tree))}
            for tree in found.certificates
        ],
    }


def _exposed(found: Evidence) -> dict[str, Any]:
    """The loss that one unit is exposed to: the claim; with a charged universe the sum, and what it is made of."""
    claim, books = found.claim, found.accounting
    release = {
        "epsilon": _number(_as_given(claim.epsilon, books.claimed.epsilon)),
        "delta": _number(_as_given(claim.delta, books.claimed.delta)),
    }
    if books.universe is None or books.total is None:
        return release
    built = {"epsilon": _number(books.universe.epsilon), "delta": _number(books.universe.delta)}
    whole = {"epsilon": _number(books.total.epsilon), "delta": _number(books.total.delta)}
    return whole | {"parts": {"release": release, "universe": built}}


def _charges(found: Evidence) -> list[dict[str, Any]]:
    """Of the universe, where it has one of its own, then of the release."""
    books = found.accounting
    paid = books.universe
    built = [_loss(paid)] if paid and paid.id else []
    return built + ([_loss(books.charge)] if books.charge else [])


def _as_given(claimed: Exact, written: Exact) -> Exact:
    """The deployment's own spelling, where it is the same number."""
    return written if written == claimed else claimed


def _number(value: Exact) -> dict[str, str]:
    return {"given": value.text, "exact": f"{value.numerator}/{value.denominator}"}


def _loss(loss: Loss | Built) -> dict[str, Any]:
    """A loss with what it follows from, or the charge that it is."""
    said = {"theorem": loss.theorem if isinstance(loss, Loss) else "", "id": loss.id}
    words = {name: text for name, text in said.items() if text}
    return {"epsilon": _number(loss.epsilon), "delta": _number(loss.delta), **words}


def _mechanism(found: Evidence) -> dict[str, Any]:
    claim, d = found.claim, found.deployment
    numbers = {
        "massBound": claim.mass_bound, "scale": claim.scale, "exponent": claim.exponent,
        "publicDenominator": d.public_denominator, "samplingRate": d.sampling_rate, "selectionShare": d.selection_share,
    }  # fmt: skip
    return {
        "kind": claim.mechanism,
        "values": claim.values,
        "calibration": d.calibration,
        "emMode": d.em_mode,
        "maxAtoms": d.max_atoms,
        "universeSize": d.universe_size,
        "planSize": d.plan_size,
        **{name: None if value is None else _number(value) for name, value in numbers.items()},
    }


def _test_result(found: Evidence, subjects: tuple[Subject, ...], common: dict[str, Any]) -> dict[str, Any]:
    configured = [one.tree() for one in subjects if one.name in ("deployment.yaml", "universe.json")]
    lists: dict[str, list[str]] = {name: [] for name in LISTED.values()}
    for check in found.checks:
        if check.status in LISTED:
            lists[LISTED[check.status]].append(check.id)
    said = {"tool": {"name": found.tool.name, "version": found.tool.version}, "checks": list(map(_check, found.checks))}
    return {"result": common["result"], "configuration": configured, **lists, EXTENSION: said | common}


def _check(check: Checked) -> dict[str, Any]:
    return check.model_dump(include={"id", "required", "status", "strength", "summary", "figures", "reason"})


def _summary(found: Evidence, terms: Terms, common: dict[str, Any]) -> dict[str, Any]:
    """A verification summary knows PASSED and FAILED alone: no answer is no pass."""
    granted = common["result"] == "PASSED"
    required = sorted(check.id for check in found.checks if check.required)
    return {
        "verifier": {"id": terms.verifier, "version": {found.tool.name: found.tool.version}},
        "timeVerified": f"{terms.validity.not_before}T00:00:00Z",
        "resourceUri": f"{OURS}deployment/{found.deployment.name}",
        "policy": {"uri": POLICY, "digest": {"sha256": canonical.digest(canonical.dumps(required))}},
        "verificationResult": "PASSED" if granted else "FAILED",
        "verifiedLevels": [LEVEL if granted else "FAILED"],
        EXTENSION: {"required": required} | common,
    }
