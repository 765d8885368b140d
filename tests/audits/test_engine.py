"""One audit: the same seed gives the same bytes, whoever works; what breaks is an error and never a pass."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import pytest

from dpspin import canonical, pipeline
from dpspin.curator.noise import SeededBits
from dpspin_audits import engine, evidence
from dpspin_audits.distribution import trials
from dpspin_audits.distribution.campaign import HERE, Workplace
from dpspin_audits.engine import Audit
from dpspin_audits.pairs.corpora import corpus_record
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.zoo.beside_plan import BesidePlan


@pytest.fixture
def asked(setting, reference, few, published, monkeypatch):
    monkeypatch.setattr(pipeline, "publish", published)
    tiny = replace(few, pilot=256, training=2000, testing=6000, searched=50)
    return Audit(setting, reference, "ref", "dpspin audit", b"\x07" * 8, effort=tiny)


def status(tree):
    return {check["id"]: check["status"] for check in tree["checks"]}


def test_the_same_seed_gives_the_same_bytes_for_any_number_of_workers(asked):
    one = engine.audit(asked)
    with ThreadPoolExecutor(3) as pool:
        assert canonical.dumps(engine.audit(asked, place=Workplace(pool, families=3))) == canonical.dumps(one)
    other = engine._Inquiry(replace(asked, seed=b"\x08" * 8), None, None, lambda _: None).tried(HERE)[0]
    assert evidence.measured_tree(other, asked.alpha) != one["accounting"]["measured"]


def test_the_reference_passes_every_required_check(audited):
    tree = audited("ref")
    found = status(tree)
    assert tree["verdict"] == "pass"
    assert {found[name] for name in evidence.SMOKE} == {"pass"}
    assert 0.85 < float(tree["accounting"]["measured"]["epsilon_at_least"]) <= 1


def test_what_was_not_run_is_listed_with_a_reason(audited):
    tree = audited("ref")
    listed = {row["id"] for row in tree["not_assessed"]}
    assert {name for name, found in status(tree).items() if found == "not_run"} <= listed
    assert {"timing", "memory"} <= listed


def test_tests_share_one_alpha(audited):
    tree = audited("ref")
    tests, shifts, others = distributions(tree), 3, 4  # support, sampling, independence, canary
    assert len(tests) == 24  # eight families: plans, stated law, low-order bits
    assert len({test["alpha"] for test in tests}) == 1
    assert Fraction("0.00099") < (len(tests) + shifts + others) * Fraction(tests[0]["alpha"]) <= Fraction("0.001")
    for test in tests:
        assert Fraction("0.49") < Fraction(test["bets"]["alpha"]) / Fraction(test["alpha"]) <= Fraction("0.5")


def distributions(tree):
    """The tests of the two checks of distributions."""
    checks = [check for check in tree["checks"] if check["id"].startswith("distribution.")]
    return [test for check in checks for test in check["figures"]["tests"]]


def test_a_bundle_is_judged_beside_the_subjects_own_releases(asked, setting, reference, maker):
    files = pipeline.release(
        setting, [corpus_record(record, setting) for record in maker.settled()], SeededBits(b"d"), None
    ).bundle
    tree = engine.audit(replace(asked, bundle=files))
    assert (tree["verdict"], tree["stamp"]) == ("pass", canonical.loads(files["plan.json"], "")["stamp"])
    assert tree["summary"][0]["supported"]
    beside = engine.audit(replace(asked, bundle={**files, "metrics.json": b"{}"}))
    assert (beside["verdict"], status(beside)["hygiene"]) == ("fail", "fail")
    assert beside["exposures"][-1]["name"] == "metrics.json"


def test_at_user_level_under_replacement_every_family_shares_alpha(audited):
    tree = audited("ref", mechanism="top_l", unit="user", adjacency="replacement")
    tests, shifts, others = distributions(tree), 5, 4
    assert len(tests) == 11 * 4  # and the whole curve
    assert Fraction("0.00099") < (len(tests) + shifts + others) * Fraction(tests[0]["alpha"]) <= Fraction("0.001")


class Crashes(ReferenceSubject):
    """Cannot do what it offers."""

    def sample(self, records, runs):
        raise MemoryError

    def contribution(self, record):
        raise RuntimeError

    def sketch(self, records):
        raise RuntimeError

    def release(self, records):
        raise OSError


def test_a_subject_that_breaks_off_ends_in_errors(asked, setting):
    tree = engine.audit(replace(asked, subject=Crashes(setting)))
    found = status(tree)
    assert tree["verdict"] == "error"
    broken = {"distribution.ideal", "distribution.bits", "sensitivity", "rng", "hygiene", "canary", "contract"}
    assert {name for name, value in found.items() if value == "error"} >= broken | {"support", "independence"}
    assert tree["accounting"]["measured"] is None


class WholeReleases:
    """The black box behind a subject: it can do nothing but release."""

    def __init__(self, inner):
        self.claim, self._inner = inner.claim, inner

    def fresh(self):
        return WholeReleases(self._inner.fresh())

    def release(self, records):
        return self._inner.release(records)


def test_a_black_box_is_judged_by_whole_releases(asked, setting):
    few = trials.Effort(pilot=0, training=40, testing=80)
    tree = engine.audit(replace(asked, subject=WholeReleases(BesidePlan(setting)), released=few))
    found = status(tree)
    assert (found["hygiene"], found["canary"]) == ("fail", "fail")
    assert {found[name] for name in ("sensitivity", "locality", "grouping")} == {"pass"}  # by its held draws
    assert {found["rng"], found["contract"]} == {"pass"}
    tests = next(check for check in tree["checks"] if check["id"] == "distribution.ideal")["figures"]["tests"]
    assert {test["runs"] for test in tests} == {80}


def test_every_step_is_announced_before_it_begins(asked):
    seen = []
    tree = engine.audit(asked, progress=seen.append)
    assert seen[:2] == ["first contact", "distribution: many units, one atom"]
    assert len(seen) == len(set(seen))
    later = {"conformance", "proofs", "noninterference", "locality", "grouping", "support", "sampling", "independence",
             "errors", "budget", "tripwire", "timing"}  # fmt: skip
    announced = {check["id"] for check in tree["checks"]} - later - {"distribution.ideal", "distribution.bits"}
    assert announced <= set(seen)
