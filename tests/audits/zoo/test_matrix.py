"""Fault by check: every fault is caught by what is expected to catch it, and no correct implementation is accused.

`DPSPIN_DEEP=1` runs every check on every member.  Otherwise a fault meets the checks that are recorded for it, and a
correct implementation all but the two of the distribution, which `test_correct` and `test_false_alarms` try on it.
"""

import os
from dataclasses import replace

import pytest

from dpspin_audits.zoo.catalogue import members
from dpspin_audits.zoo.costs import COSTS

DEEP = os.environ.get("DPSPIN_DEEP") == "1"
ALL = members()
FAULTS = [one for one in ALL if one.kind == "Fault"]
OTHERS = [one for one in ALL if one.kind != "Fault"]
DISTRIBUTION = {"distribution.ideal", "distribution.bits"}
ALONE = {
    "accounting.claim": "claim_misstated", "universe.provenance": "universe_swapped", "hygiene": "supports_shown",
    "contract": "stale_summary", "rng": "clock_seed", "canary": "count_printed", "errors": "crashes_on_unusual",
    "budget": "uncharged", "independence": "sticky_noise", "support": "flaky_when_small",
    "sensitivity": "clipped_in_l2", "locality": "small_batches", "grouping": "ids_composed",
    "noninterference": "run_context",
    "tripwire": "decoder_opens", "conduct": "scratch_left", "distribution.ideal": "noise_folded",
    "distribution.bits": "float_noise",
}  # fmt: skip
"""For every check, a fault that nothing else finds."""
CONFIRMS = {"accounting.certificate": "another program's word on what accounting.claim has computed"}
"""Checks that catch nothing alone, by design."""


@pytest.fixture
def effort(few):
    """Enough for what is recorded of a member."""
    little = replace(few, pilot=0, training=200, testing=400, searched=60)
    return lambda checks: replace(few, searched=60) if checks & DISTRIBUTION else little


@pytest.mark.parametrize("one", FAULTS, ids=lambda one: one.name)
def test_a_fault_is_caught(one, audit_of, effort):
    expected = set(one.caught_by)
    found = audit_of(one, None if DEEP else expected, effort=effort(expected))
    failed = {name for name, check in found.items() if check["status"] == "fail"}
    assert expected <= failed, {name: found[name]["reason"] for name in expected - failed}
    strengths = {name: found[name]["strength"].replace("_", " ") for name in expected}
    assert all(strength in COSTS[name].strength for name, strength in strengths.items()), strengths
    if DEEP and one.name in ALONE.values():
        assert failed - (DISTRIBUTION - expected) == expected


@pytest.mark.parametrize("one", OTHERS, ids=lambda one: one.name)
def test_no_other_is_accused(one, audit_of, effort):
    found = audit_of(one, None if DEEP else set(COSTS) - DISTRIBUTION, effort=effort(set()))
    reasons = {name: check["reason"] for name, check in found.items() if check["status"] in ("fail", "error")}
    assert {name: reason for name, reason in reasons.items() if reason != "left out"} == {}
    ran = {name for name, check in found.items() if check["status"] == "pass"}
    assert {"hygiene", "contract", "rng", "canary", "support", "independence", "errors"} <= ran


def test_no_check_is_idle():
    """Every check is the only one that its fault is recorded for: take it away, and that fault is missed."""
    recorded = {one.name: one.caught_by for one in FAULTS}
    assert {name: recorded[fault] for name, fault in ALONE.items()} == {name: (name,) for name in ALONE}
    assert set(ALONE) == set(COSTS) - set(CONFIRMS)


def test_there_are_enough():
    assert len(FAULTS) >= 45
    assert len([one for one in OTHERS if one.kind == "Correct"]) >= 10
