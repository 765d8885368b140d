"""Depths grow in everything, and require more where more can be run."""

from itertools import pairwise

from dpspin_audits import evidence
from dpspin_audits.checks.check import Check
from dpspin_audits.depths import DEPTHS, FURTHER, required
from dpspin_audits.distribution import trials


def test_every_depth_does_more_than_the_one_before():
    assert [*DEPTHS] == ["smoke", "standard", "deep"]
    assert (DEPTHS["smoke"].sampled, DEPTHS["smoke"].released) == (trials.SMOKE, trials.WHOLE_RELEASES)
    for less, more in pairwise(DEPTHS.values()):
        for one, two in ((less.sampled, more.sampled), (less.released, more.released)):
            assert all(a <= b for a, b in zip(one.counts, two.counts, strict=True))
            assert one.testing < two.testing
        assert set(less.further) < set(more.further)


def found(**status):
    return [Check(name, one, "exact", "", {}) for name, one in status.items()]


def test_a_check_is_required_where_it_could_be_run_and_otherwise_stays_visible():
    checks = found(locality="pass", grouping="error", support="inconclusive", errors="not_run", timing="pass")
    assert required(("rng",), FURTHER, checks) == ("rng", "locality", "grouping", "support")
    assert required(("rng",), (), checks) == ("rng",)
    assert required(("rng", "locality"), FURTHER, checks).count("locality") == 1


def test_what_is_required_besides_decides_the_verdict_where_it_ended_without_an_answer():
    checks = found(rng="pass", support="inconclusive")
    assert evidence.verdict(checks, required(("rng",), (), checks)) == "pass"
    assert evidence.verdict(checks, required(("rng",), FURTHER, checks)) == "inconclusive"
