"""Correct implementations, audited again and again: no more alarms than the level allows.

Alpha is set to .05, so that few audits say much.  The number of alarms of 200 audits is then at most binomial; the test
fails by chance with a probability of 1e-7 for each member.  `DPSPIN_DEEP=1` audits every member `DPSPIN_AUDITS`
times (200); otherwise a few of them are audited twice at alpha 3e-4, and two alarms are too many.  A member that
cannot sample has fewer runs, each of them a whole release; the level of a test holds for any number.
"""

import os
from dataclasses import replace
from importlib import import_module
from itertools import chain

import pytest
from scipy.stats import binom

from dpspin_audits.distribution.trials import derive
from dpspin_audits.subject import Batched
from dpspin_audits.zoo.catalogue import members
from dpspin_audits.zoo.steps import Steps

DEEP = os.environ.get("DPSPIN_DEEP") == "1"
AUDITS = int(os.environ.get("DPSPIN_AUDITS", "200")) if DEEP else 2
TELLING, RARE = 0.05, 1e-7
ALPHA = TELLING if DEEP else 3e-4
SAMPLE = {"functional", "rejection_peeling", "geometric_difference", "bare_claim"}
CHECKS = {
    "distribution.ideal", "distribution.bits", "support", "sampling", "independence", "canary", "rng", "hygiene",
    "contract",
}  # fmt: skip
"""All that look at random releases without injected noise."""
MEMBERS = [one for one in members() if one.kind == "Correct" and (DEEP or one.name in SAMPLE)]


@pytest.fixture
def remembered(monkeypatch):
    """What one record says is a function of it, in correct members: computed once, it costs most of a release."""
    for name in ("share", "unit_key"):
        monkeypatch.setattr(Steps, name, _remembering(getattr(Steps, name)))


def _remembering(function):
    known = {}

    def once(self, record):
        key = type(self), self.setting.deployment_bytes, repr(record)
        if key not in known:
            known[key] = function(self, record)
        return known[key]

    return once


@pytest.mark.parametrize("one", MEMBERS, ids=lambda one: one.name)
@pytest.mark.usefixtures("remembered")
def test_alarms_are_as_rare_as_stated(one, audit_of, few, record_property):
    samples = isinstance(import_module(f"dpspin_audits.zoo.{one.name}").subject, Batched)
    training, testing = (400, 800) if samples else (60, 120)
    effort = replace(few, pilot=0, training=training, testing=testing, searched=20)
    alarms = {}
    for number in range(AUDITS):
        seed = derive(b"alarms", one.name, str(number))[:8]
        found = audit_of(one, CHECKS, effort=effort, released=effort, alpha=ALPHA, seed=seed)
        failed = [name for name, check in found.items() if check["status"] == "fail"]
        if failed:
            alarms[seed.hex()] = failed
    record_property("alarms", f"{len(alarms)} of {AUDITS}")
    print(f"{one.name}: {len(alarms)} alarms of {AUDITS} {sorted(chain(*alarms.values()))}", flush=True)
    assert len(alarms) <= binom.isf(RARE, AUDITS, ALPHA), alarms


def test_an_implementation_with_half_the_noise_raises_more_alarms(audit_of, few):
    halved = next(one for one in members() if one.name == "noise_halved")
    effort = replace(few, pilot=0, training=400, testing=800, searched=20)
    terms = {"effort": effort, "alpha": TELLING}
    runs = [audit_of(halved, {"distribution.ideal"}, seed=bytes([n] * 8), **terms) for n in range(6)]
    alarms = sum(found["distribution.ideal"]["status"] == "fail" for found in runs)
    assert alarms > binom.isf(RARE, len(runs), TELLING)
