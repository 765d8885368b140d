"""Findings as SARIF 2.1.0, for code scanning: one run, one rule for each check, a result for each that ended badly.

Levels: a finding, and an implementation that broke off, are errors; an undecided check is a warning.  What was not
assessed is a notification of the run, so that silence never looks like a pass.
"""

from typing import Any
from urllib.parse import quote

from dpspin import canonical
from dpspin.decimals import exact
from dpspin.errors import printable
from dpspin_audits.checks.explain import Explanation, explanations
from dpspin_audits.formats.opened import Evidence
from dpspin_audits.formats.words import coded, escaped, message
from dpspin_audits.report.case import Check
from dpspin_audits.report.tree import Node
from dpspin_audits.report.vocabulary import subject_of

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"fail": "error", "error": "error", "inconclusive": "warning"}
BASE = "BUNDLE"
"""Stands for the folder of the release; where it lies is not in evidence."""
CLAIM = "deployment.yaml"
"""The file that states the claim."""
ELSEWHERE = "The claim; the finding itself stands in no file of the release."
FINGERPRINT = "dpspin/v1"
SCANNED = "primaryLocationLineHash"
"""The only fingerprint by which GitHub follows an alert; it would compute one from a file that it does not have."""


def encode(evidence: Evidence) -> bytes:
    """The log as canonical JSON."""
    rules = _rules(evidence)
    known = [rule["id"] for rule in rules]
    found = [check for check in evidence.case.checks if check.status in LEVELS]
    run = {
        "tool": {"driver": _driver(evidence.root) | {"rules": rules}},
        "automationDetails": {"id": f"dpspin/{quote(evidence.case.deployment.text('name'), safe='')}/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {BASE: {"description": {"text": "The folder of the release that was audited."}}},
        "invocations": [_invocation(evidence, known)],
        "results": [_result(evidence, check, known.index(check.id)) for check in found],
        "properties": _properties(evidence),
    }
    return canonical.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _driver(root: Node) -> dict[str, Any]:
    tool = root.node("tool")
    return {
        "name": printable(tool.text("name")),
        "version": printable(tool.text("version")),
        "shortDescription": {"text": "Audits of differentially private semantic plans."},
    }


def _properties(evidence: Evidence) -> dict[str, Any]:
    claim = evidence.root.node("claim")
    named = {name: printable(claim.text(name)) for name in ("epsilon", "delta", "unit", "adjacency")}
    stamp, built = evidence.root.maybe_text("stamp"), evidence.case.built
    found = {"verdict": evidence.root.text("verdict"), "evidenceSha256": evidence.digest, "claim": named}
    if built:
        found["universe"] = {"epsilon": exact(built.epsilon), "delta": exact(built.delta)}
        found["total"] = {"epsilon": exact(built.whole_epsilon), "delta": exact(built.whole_delta)}
    return found | ({"stamp": printable(stamp)} if stamp else {})


def _rules(evidence: Evidence) -> list[dict[str, Any]]:
    """Every check that this version explains, and those of the evidence that it does not know."""
    texts = explanations()
    unknown = sorted({check.id for check in evidence.case.checks} - set(texts))
    return [_rule(id_, texts[id_]) for id_ in texts] + [
        {"id": printable(id_), "shortDescription": {"text": message(id_)}} for id_ in unknown
    ]


def _rule(id_: str, found: Explanation) -> dict[str, Any]:
    rows = (
        ("Why the answer holds", found.argument),
        ("False alarms", found.false_alarms),
        ("On a failure", found.on_failure),
        ("References", "; ".join(found.references)),
    )
    return {
        "id": id_,
        "name": "".join(word.capitalize() for word in id_.replace(".", "_").split("_")),
        "shortDescription": {"text": message(subject_of(id_).title)},
        "fullDescription": {"text": message(found.question)},
        "help": {
            "text": "\n\n".join(f"{name}: {message(words)}" for name, words in rows),
            "markdown": "\n\n".join(f"**{name}.** {escaped(words)}" for name, words in rows)
            + f"\n\n{coded(f'dpspin report explain {id_}')}",
        },
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["differential privacy", "privacy"]},
    }


def _result(evidence: Evidence, check: Check, index: int) -> dict[str, Any]:
    print_ = fingerprint(evidence, check)
    result = {
        "ruleId": printable(check.id),
        "ruleIndex": index,
        "kind": "fail",
        "level": LEVELS[check.status],
        "message": {"text": message(_said(check))},
        "locations": [_location(evidence, check)],
        "fingerprints": {FINGERPRINT: print_},
        "partialFingerprints": {FINGERPRINT: print_, SCANNED: f"{print_[:16]}:1"},
        "properties": {"status": check.status, "strength": check.strength, "required": check.required},
    }
    if evidence.root.has("gate"):
        gate = evidence.root.node("gate")
        suppressions = [_suppression(row) for row in gate.nodes("waivers") if row.text("check") == check.id]
        known = gate.texts("known")
        result |= {"suppressions": suppressions if check.status == "fail" else []}
        result |= {"baselineState": "unchanged" if check.id in known else "new"} if known else {}
    return result


def _said(check: Check) -> str:
    seen = check.reason and f"Seen: {check.reason.rstrip('.')}."
    remedy = check.remedy and f"What to do: {check.remedy.rstrip('.')}."
    return " ".join(filter(None, (f"{check.summary.rstrip('.')}.", seen, remedy, f"Repeat: {check.reproduce}")))


def _suppression(waiver: Node) -> dict[str, Any]:
    """A waiver; one whose day has passed suppresses nothing."""
    words = f"{waiver.text('reason')} Approved by {waiver.text('approver')}, until {waiver.text('expires')}."
    status = "accepted" if waiver.text("state") == "in force" else "rejected"
    return {"kind": "external", "status": status, "justification": printable(words)}


def fingerprint(evidence: Evidence, check: Check) -> str:
    """The same for the same finding of the same deployment and subject, whatever was measured and on which line."""
    location = check.place.rpartition(":")[0] or check.place if check.place else None
    deployment, subject = evidence.case.deployment, evidence.root.node("subject")
    named = [deployment.text("name"), deployment.text("population"), subject.text("spec"), check.id, location]
    return canonical.digest(canonical.dumps(named))


def _located(evidence: Evidence, id_: str) -> Node | None:
    return next((row.maybe_node("location") for row in evidence.root.nodes("checks") if row.text("id") == id_), None)


def _location(evidence: Evidence, check: Check) -> dict[str, Any]:
    """A file of the bundle and its line, the first where none is known.

    What stands in no such file stands where the claim does, in the deployment, beside the name of its check: code
    scanning refuses a whole log for one result without a file and a line.
    """
    found = _located(evidence, check.id)
    if found is not None and _is_inside(found.text("file")):
        return {"physicalLocation": _physical(found.text("file"), found.count("line") if found.has("line") else 1)}
    full = f"{evidence.case.deployment.text('name')}/{check.id}"
    logical = {"name": printable(check.id), "fullyQualifiedName": printable(full), "kind": "module"}
    return {"physicalLocation": _physical(CLAIM, 1), "logicalLocations": [logical], "message": {"text": ELSEWHERE}}


def _is_inside(file: str) -> bool:
    """Whether a place is a file of the bundle: not one elsewhere, and not a channel such as (printed)."""
    return not (file.startswith(("/", "(")) or ".." in file.split("/") or file in ("", "release"))


def _physical(file: str, line: int) -> dict[str, Any]:
    place = {"uri": quote(file, safe="/"), "uriBaseId": BASE}
    return {"artifactLocation": place, "region": {"startLine": max(line, 1)}}


def _invocation(evidence: Evidence, rules: list[str]) -> dict[str, Any]:
    """How the run ended, and what it did not assess."""
    broken = any(check.status == "error" for check in evidence.case.checks)
    gaps = [gap for gap in evidence.case.gaps if gap.status == "not_run"]
    notes = [
        {
            "level": "note",
            "message": {"text": message(f"Not assessed: {gap.what}. {gap.why}")},
            **({"associatedRule": {"id": gap.id, "index": rules.index(gap.id)}} if gap.id in rules else {}),
        }
        for gap in gaps
    ]
    return {"executionSuccessful": not broken, "toolExecutionNotifications": notes}
