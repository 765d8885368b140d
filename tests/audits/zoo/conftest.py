"""Audits of members of the zoo, by some of the checks."""

from dataclasses import replace
from importlib import import_module

import pytest

from dpspin import pipeline
from dpspin_audits import engine
from dpspin_audits.addresses import resolve
from dpspin_audits.checks import frozen, tripwire
from dpspin_audits.checks.check import Check
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.running.processes import Elsewhere

DISTRIBUTION = {"distribution.ideal", "distribution.bits"}
CROWDED = "fixed_size"
"""The member that differs in a crowd alone; others meet a small one, but where all checks are run."""


@pytest.fixture
def audit_of(few, setting_of, published, monkeypatch, tmp_path):
    """Checks by id of a member: of all checks, or of some."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pipeline, "publish", published)
    guarded, tried = engine._Inquiry._guarded, engine._Inquiry.tried

    def leave_out(checks):
        def only(self, name, strength, step):
            run = checks is None or name in checks
            return guarded(self, name, strength, step) if run else Check(name, "not_run", strength, "Left out.")

        distribution = tried if checks is None or checks & DISTRIBUTION else lambda *_: ([], "left out")
        monkeypatch.setattr(engine._Inquiry, "_guarded", only)
        monkeypatch.setattr(engine._Inquiry, "tried", distribution)

    def run(one, checks=None, **terms):
        leave_out(checks)
        if checks is not None and one.name != CROWDED:
            monkeypatch.setattr(frozen, "DISPLACEMENT_BASE", 60)
        spec = f"py:dpspin_audits.zoo.{one.name}:subject"
        deployed = getattr(import_module(f"dpspin_audits.zoo.{one.name}"), "deployed", lambda setting: setting)
        setting = deployed(setting_of(**dict(one.terms)))
        subject = resolve(spec, setting, ReferenceSubject)
        usual = {"seed": b"\x07" * 8, "released": replace(few, pilot=0, training=40, testing=80)}
        asked = engine.Audit(setting, subject, spec, "", **{**usual, **terms})
        processes = {"elsewhere": Elsewhere(spec, setting), "watch": tripwire.check} if one.processes else {}
        return {check["id"]: check for check in engine.audit(asked, **processes)["checks"]}

    return run
