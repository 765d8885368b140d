"""JUnit XML that build servers read: counts agree and control characters cannot break it."""

from xml.etree import ElementTree

from dpspin_audits.conformance import junit, suite
from dpspin_audits.conformance.run import Outcome

CASES = suite.cases("^clip/")


def test_counts_and_messages():
    statuses = (("pass", ""), ("fail", "[1,2]\x00\x1b"), ("skipped", "no"), ("error", "ended"))
    outcomes = [Outcome(case, *status) for case, status in zip(CASES, statuses, strict=False)]
    root = ElementTree.fromstring(junit.encode(outcomes))
    (found,) = root
    assert (found.get("tests"), found.get("failures"), found.get("errors"), found.get("skipped")) == (
        "4",
        "1",
        "1",
        "1",
    )
    assert [child.tag for case in found for child in case] == ["failure", "skipped", "error"]
    assert found[1][0].get("message") == "[1,2]\\x00\\x1b"


def test_steps_become_suites():
    outcomes = [Outcome(case, "pass") for case in suite.cases("^(clip|add)/1$")]
    assert [child.get("name") for child in ElementTree.fromstring(junit.encode(outcomes))] == ["add", "clip"]
