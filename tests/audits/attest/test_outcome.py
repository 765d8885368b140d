"""One word for an audit: nothing but a clean pass is PASSED."""

import pytest

from dpspin import plan
from dpspin_audits.attest import outcome

WAIVER = {"check": "support", "reason": "r", "approver": "a", "expires": "2027-06-30"}


def gate(verdict="pass", state=None, known=()):
    waivers = [WAIVER | {"state": state}] if state else []
    return {"verdict": verdict, "waivers": waivers, "known": list(known)}


def test_a_clean_pass(opened, tree):
    assert outcome.result(opened(tree)) == "PASSED"
    assert outcome.result(opened(tree | {"gate": gate(state="not needed")})) == "PASSED"


@pytest.mark.parametrize(("status", "word"), [("fail", "FAILED"), ("error", "FAILED"), ("inconclusive", "WARNED")])
def test_a_required_check_decides(opened, tree, change, status, word):
    assert outcome.result(opened(change(tree, "sensitivity", status=status))) == word


def test_a_required_check_that_was_not_run_is_no_pass(opened, tree, change):
    other = change(tree, "sensitivity", status="not_run")
    other["not_assessed"] = [{"id": "sensitivity", "what": "w", "why": "y"}, *other["not_assessed"]]
    assert outcome.result(opened(other)) == "WARNED"


@pytest.mark.parametrize("stamp", [plan.SEEDED, plan.INJECTED])
def test_noise_from_a_seed_or_from_outside_is_a_failure(opened, tree, stamped, stamp):
    other = stamped(tree, stamp)
    assert opened(other).verdict == "pass"
    assert outcome.result(opened(other)) == "FAILED"


def test_what_was_waived_or_known_is_no_pass(opened, tree, change):
    failing = change(tree, "support", status="fail")
    for held in (gate(state="in force"), gate(known=["support"]), gate("fail")):
        assert outcome.result(opened(failing | {"gate": held})) == "FAILED"


def test_a_gate_that_did_not_open_is_no_pass(opened, tree):
    assert outcome.result(opened(tree | {"gate": gate("fail", "expired")})) == "WARNED"
