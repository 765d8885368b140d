"""An audit as one call: verdict, complaint, evidence."""

from dpspin_audits import audited as module
from dpspin_audits.audited import Audited

PASS = {"id": "rng", "required": True, "status": "pass", "summary": "s.", "reason": None}
FAIL = {"id": "canary", "required": True, "status": "fail", "summary": "A text was found.", "reason": "in plan.json"}


def evidence(*checks, verdict="fail"):
    return Audited({"verdict": verdict, "checks": list(checks), "seeds": {"audit": "00ff"}})


def test_the_complaint_names_required_checks_and_the_seed():
    found = evidence(PASS, FAIL, FAIL | {"id": "timing", "required": False})
    assert found.complaint == "canary: fail: A text was found. in plan.json\nseed 00ff"


def test_nothing_to_complain_of():
    assert evidence(PASS, verdict="pass").complaint == ""


def test_the_command_repeats_the_audit(monkeypatch):
    asked = []
    monkeypatch.setattr(module.engine, "audit", lambda one: asked.append(one) or {"verdict": "pass"})
    assert module.audited("ref", seed=b"\x00\xff", alpha=0.01).verdict == "pass"
    assert (asked[0].seed, asked[0].alpha, asked[0].spec) == (b"\x00\xff", 0.01, "ref")
    assert asked[0].command == "dpspin_audit('ref', seed=bytes.fromhex('00ff'))"
