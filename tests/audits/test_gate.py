"""Waivers and baselines set findings aside, for a time and in the open."""

import datetime

import pytest

from dpspin import canonical
from dpspin.errors import UsageError
from dpspin_audits import gate

TODAY = datetime.date(2026, 12, 1)
FILE = """schema: dpspin-waivers/1
waivers:
  - check: hygiene
    reason: run_info.json is read by nobody
    approver: A. Reviewer
    expires: "2026-12-31"
"""


def checks(**status):
    return [{"id": id_, "status": found, "required": id_ != "timing"} for id_, found in status.items()]


def waiver(check="hygiene", expires="2026-12-31"):
    return gate.Waiver(check=check, reason="r", approver="a", expires=expires)


def test_a_file_is_read():
    (found,) = gate.load(FILE.encode(), "waivers.yaml")
    assert (found.check, found.approver, found.expires) == ("hygiene", "A. Reviewer", "2026-12-31")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("    approver: A. Reviewer\n", "", "waivers.0.approver: missing"),
        ('    expires: "2026-12-31"\n', "", "waivers.0.expires: missing"),
        ("    reason: run_info.json is read by nobody\n", "", "waivers.0.reason: missing"),
        ("check: hygiene", "check: ''", "waivers.0.check"),
        ('"2026-12-31"', '"2026-02-30"', "no such day"),
        ('"2026-12-31"', '"soon"', "write a day"),
        ("dpspin-waivers/1", "dpspin-waivers/2", "schema"),
        ("    approver", "    owner: x\n    approver", "unknown field"),
    ],
)
def test_what_is_missing_or_wrong_is_named(old, new, words):
    with pytest.raises(UsageError, match=words):
        gate.load(FILE.replace(old, new).encode(), "waivers.yaml")


def test_a_check_is_waived_once():
    twice = FILE + FILE.partition("waivers:\n")[2]
    with pytest.raises(UsageError, match="waived twice"):
        gate.load(twice.encode(), "waivers.yaml")


@pytest.mark.parametrize(
    ("status", "waivers", "known", "verdict"),
    [
        ({"hygiene": "fail"}, [], (), "fail"),
        ({"hygiene": "fail"}, [waiver()], (), "pass"),
        ({"hygiene": "fail", "rng": "fail"}, [waiver()], (), "fail"),
        ({"hygiene": "fail"}, [waiver(expires="2026-12-01")], (), "pass"),
        ({"hygiene": "fail"}, [waiver(expires="2026-11-30")], (), "fail"),
        ({"hygiene": "pass"}, [waiver(expires="2026-11-30")], (), "fail"),
        ({"hygiene": "pass"}, [waiver()], (), "pass"),
        ({"hygiene": "error"}, [waiver()], (), "error"),
        ({"hygiene": "not_run"}, [waiver()], (), "not_run"),
        ({"hygiene": "fail"}, [], ("hygiene",), "pass"),
        ({"hygiene": "fail", "rng": "fail"}, [], ("hygiene",), "fail"),
        ({"hygiene": "inconclusive"}, [], ("hygiene",), "inconclusive"),
        ({"timing": "fail"}, [], (), "fail"),
        ({"timing": "error"}, [], (), "pass"),
    ],
)
def test_only_findings_that_somebody_answers_for_are_set_aside(status, waivers, known, verdict):
    assert gate.gate(checks(**status), waivers, frozenset(known), TODAY).verdict == verdict


def test_every_waiver_is_shown_with_its_state():
    waivers = [waiver(), waiver("rng"), waiver("canary", "2020-01-01")]
    found = gate.tree(gate.gate(checks(hygiene="fail", rng="pass", canary="fail"), waivers, frozenset(), TODAY))
    assert [row["state"] for row in found["waivers"]] == ["in force", "not needed", "expired"]
    assert found["waivers"][0] == {"check": "hygiene", "reason": "r", "approver": "a", "expires": "2026-12-31",
                                   "state": "in force"}  # fmt: skip


def test_a_baseline_is_an_evidence_file():
    data = canonical.dumps({"checks": [{"id": "rng", "status": "fail"}, {"id": "canary", "status": "pass"}]})
    assert gate.findings(data, "evidence.json") == {"rng"}
    for other in (b"[]\n", b'{"checks":1}\n', b'{"checks":[1]}\n'):
        with pytest.raises(UsageError, match="not an evidence file"):
            gate.findings(other, "evidence.json")
