"""Outcomes as JUnit XML, which build servers read."""

from collections.abc import Iterable
from itertools import groupby
from xml.etree import ElementTree

from dpspin.errors import printable
from dpspin_audits.conformance.run import Outcome

ELEMENTS = {"fail": "failure", "error": "error", "skipped": "skipped"}


def encode(outcomes: Iterable[Outcome]) -> bytes:
    """One suite for each step, one case for each vector; no times, so that equal outcomes have equal bytes."""
    root = ElementTree.Element("testsuites", name="dpspin conform")
    for function, group in groupby(outcomes, lambda outcome: outcome.case.function):
        rows = list(group)
        counts = {name: sum(row.status == status for row in rows) for status, name in _COUNTED}
        named = {"name": function, "tests": str(len(rows))} | {name: str(count) for name, count in counts.items()}
        suite = ElementTree.SubElement(root, "testsuite", named)
        for row in rows:
            case = ElementTree.SubElement(
                suite, "testcase", classname=function, name=f"{row.case.id}: {row.case.comment}"
            )
            if row.status in ELEMENTS:  # XML holds no control characters
                ElementTree.SubElement(case, ELEMENTS[row.status], message=printable(row.found))
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


_COUNTED = (("fail", "failures"), ("error", "errors"), ("skipped", "skipped"))
