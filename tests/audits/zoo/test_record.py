"""The record of faults and checks holds, in whole audits, new processes and all, with as many runs as tests afford.

`DPSPIN_DEEP=1` audits every member once more.  With `DPSPIN_RECORD=FOLDER`, too, it leaves there what it found, in
`DPSPIN_AUDITS` audits each (3), and goes on where it was interrupted; then nothing is compared.
"""

import os
import resource
import time
from collections import Counter
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

from dpspin import canonical, pipeline
from dpspin_audits import engine
from dpspin_audits.addresses import resolve
from dpspin_audits.checks import tripwire
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.running.processes import Elsewhere
from dpspin_audits.zoo import matrix
from dpspin_audits.zoo.catalogue import members

DEEP = os.environ.get("DPSPIN_DEEP") == "1"
RECORD = os.environ.get("DPSPIN_RECORD")
ROUNDS = range(int(os.environ.get("DPSPIN_AUDITS", "3")) if RECORD else 1)
COUNTED = {"release": "releases", "release_with": "releases", "release_seeded": "releases", "sample": "plans"}
BELONGS = {"first contact": "conduct", "distribution": "distribution.ideal"}
"""Steps of an audit that are no checks, and the check that they are for."""
pytestmark = pytest.mark.skipif(not DEEP, reason="DPSPIN_DEEP=1 makes whole audits of every member")


class Meter:
    """Counts what a subject gives, by step."""

    def __init__(self, monkeypatch, subject):
        self.now, self._marks = Counter(), []
        kind = type(subject)
        for name, what in COUNTED.items():
            if hasattr(kind, name):
                monkeypatch.setattr(kind, name, self._counting(getattr(kind, name), what))

    def _counting(self, method, what):
        def counted(own, records, *more):
            self.now[what] += more[0] if what == "plans" else 1
            return method(own, records, *more)

        return counted

    def elsewhere(self, made):
        def counted(corpora):
            seen = made(corpora)
            self.now["releases"] += len(seen.outcomes)
            return seen

        return counted

    def step(self, name):
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        self.now["cpu_ms"] = round(1000 * sum(each.ru_utime + each.ru_stime for each in used))
        self._marks.append((name.partition(":")[0], Counter(self.now)))

    def spent(self):
        self.step("end")
        found = {}
        for (name, before), (_, after) in pairwise(self._marks):
            check = BELONGS.get(name, name)
            found[check] = found.get(check, Counter()) + (after - before)
        found["distribution.bits"] = found["distribution.ideal"]
        return found


@pytest.fixture(scope="module")
def watch():
    """The tripwire; a writer is watched with one plan, since most members have the same."""
    seen = {}

    def judged(writer, plan):
        if writer not in seen:
            seen[writer] = tripwire.check(writer, plan)
        return seen[writer]

    return judged


@pytest.fixture(autouse=True)
def _aside(published, monkeypatch, tmp_path):
    """In a folder of its own; texts of plans that were seen before are remembered."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pipeline, "publish", published)


@pytest.fixture
def found(few, setting_of, watch, monkeypatch):
    """Checks that fail on a member, each with its strength and what it spent."""

    def run(one, seed):
        spec = f"py:dpspin_audits.zoo.{one.name}:subject"
        deployed = getattr(import_module(f"dpspin_audits.zoo.{one.name}"), "deployed", lambda setting: setting)
        setting = deployed(setting_of(**dict(one.terms)))
        subject = resolve(spec, setting, ReferenceSubject)
        meter = Meter(monkeypatch, subject)
        asked = engine.Audit(setting, subject, spec, "", seed, effort=few)
        elsewhere = meter.elsewhere(Elsewhere(spec, setting))
        tree = engine.audit(asked, elsewhere=elsewhere, watch=watch, progress=meter.step)
        spent = meter.spent()
        return {
            check["id"]: {"strength": check["strength"]} | {what: spent[check["id"]][what] for what in matrix.SPENT}
            for check in tree["checks"]
            if check["status"] == "fail"
        }

    return run


@pytest.mark.parametrize("number", ROUNDS)
@pytest.mark.parametrize("one", members(), ids=lambda one: one.name)
def test_the_record_holds(one, number, found):
    if RECORD:
        place = Path(RECORD) / f"{one.name}.{number}.json"
        if not place.exists():
            place.write_bytes(canonical.dumps(found(one, bytes([number + 1] * 8))))
        return
    row, failed = matrix.read()[one.name], set(found(one, time.time_ns().to_bytes(8)))
    assert set(one.caught_by) <= failed
    if len(row.hits) < 2:  # nothing, or one check alone
        assert failed == set(row.always)
