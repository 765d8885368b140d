"""An audit as JUnit XML, red exactly where the audit's exit code is.

A finding is a failure.  A required check without an answer is an error: skipped tests look green, and no answer is no
pass.  Other checks without an answer are skipped, with their reason.  So are findings that a gate sets aside; a waiver
whose day has passed fails by itself.
"""

from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from dpspin.errors import printable
from dpspin_audits.formats.opened import Evidence
from dpspin_audits.report.case import Check
from dpspin_audits.report.tree import Node


class Row(NamedTuple):
    """One test case: its element (failure, error, skipped) or None, what it says, and its type."""

    name: str
    group: str
    element: str | None
    kind: str
    words: str


def encode(evidence: Evidence) -> bytes:
    """One suite, a case for each check; no times, so that equal evidence has equal bytes."""
    rows = [*_checks(evidence), *_expired(evidence.root)]
    rows += _missing(evidence.root, rows)
    counts = {name: str(sum(row.element == element for row in rows)) for name, element in _COUNTED}
    root = ElementTree.Element("testsuites", name="dpspin audit", tests=str(len(rows)))
    root.attrib |= {name: counts[name] for name in ("failures", "errors")}
    named = printable(evidence.case.deployment.text("name"))
    suite = ElementTree.SubElement(root, "testsuite", name=named, tests=str(len(rows)), attrib=counts)
    listed = ElementTree.SubElement(suite, "properties")
    for name, value in _properties(evidence):
        ElementTree.SubElement(listed, "property", name=name, value=printable(value))
    for row in rows:
        case = ElementTree.SubElement(suite, "testcase", classname=row.group, name=printable(row.name))
        if row.element:
            ElementTree.SubElement(case, row.element, type=row.kind, message=printable(row.words))
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


_COUNTED = (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))


def _properties(evidence: Evidence) -> Iterator[tuple[str, str]]:
    root, claim = evidence.root, evidence.root.node("claim")
    yield "verdict", root.text("verdict")
    if root.has("stamp"):
        yield "stamp", root.text("stamp")
    if root.has("gate"):
        yield "gate", root.node("gate").text("verdict")
    for name in ("epsilon", "delta", "unit", "adjacency"):
        yield f"claim.{name}", claim.text(name)
    yield "subject", root.node("subject").text("name")
    yield "evidence.sha256", evidence.digest
    yield "dpspin.version", root.node("tool").text("version")


def _checks(evidence: Evidence) -> Iterator[Row]:
    aside = {check.id for check in evidence.case.set_aside}
    for check in evidence.case.checks:
        group = f"dpspin.{'required' if check.required else 'further'}"
        element, kind, words = _outcome(check, aside=check.id in aside)
        yield Row(check.id, group, element, kind, words)


def _outcome(check: Check, *, aside: bool) -> tuple[str | None, str, str]:
    said = " ".join(filter(None, (check.summary, check.reason, check.remedy and f"What to do: {check.remedy}")))
    if check.status == "pass":
        return None, "", ""
    if check.status == "fail":
        return ("skipped", "accepted", f"Finding set aside by the gate. {said}") if aside else ("failure", "fail", said)
    return ("error" if check.required else "skipped"), check.status, said


def _expired(root: Node) -> Iterator[Row]:
    for row in root.node("gate").nodes("waivers") if root.has("gate") else ():
        if row.text("state") == "expired":
            words = f"The waiver of {row.text('check')} expired on {row.text('expires')}: renew it or take it out."
            yield Row(f"waiver of {row.text('check')}", "dpspin.gate", "failure", "expired", words)


def _missing(root: Node, rows: list[Row]) -> Iterator[Row]:
    """A required check that the evidence does not hold at all."""
    verdict = (root.node("gate") if root.has("gate") else root).text("verdict")
    if verdict != "pass" and not any(row.element in ("failure", "error") for row in rows):
        yield Row("verdict", "dpspin.gate", "error", verdict, "A required check is missing from the evidence.")
