"""Runs are labelled by a fair coin, reproducible, and never redrawn."""

import numpy as np
import pytest

from dpspin.errors import SubjectError
from dpspin_audits.families import families
from dpspin_audits.subject import Batched
from dpspin_audits.trials import Sides, derive, labelled, sample


class WholeReleases:
    """A subject that cannot sample; one release in three crashes."""

    def __init__(self, reference, crash=3):
        self.claim, self._reference, self._crash, self.calls = reference.claim, reference, crash, 0

    def fresh(self):
        return self

    def release(self, records):
        self.calls += 1
        if self.calls % self._crash == 0:
            raise RuntimeError("disk full")
        return self._reference.release(records)


def test_purposes_have_streams_of_their_own():
    seeds = {
        derive(b"s"),
        derive(b"t"),
        derive(b"s", "a"),
        derive(b"s", "b"),
        derive(b"s", "a", "b"),
        derive(b"s", "ab"),
    }
    assert len(seeds) == 6
    assert derive(b"s", "a") == derive(b"s", "a")


def test_the_coin_is_fair_and_runs_are_reproducible(reference, maker):
    pair = families(maker)[2].candidates[0]
    one, two, other = (labelled(reference, pair, 4000, seed) for seed in (b"1", b"1", b"2"))
    assert np.array_equal(one.with_.masses, two.with_.masses)
    assert not np.array_equal(one.with_.masses[:1000], other.with_.masses[:1000])
    assert one.runs == 4000
    assert abs(len(one.with_.atoms) - 2000) < 160  # five standard deviations
    assert not np.array_equal(one.with_.masses[:1000], one.without.masses[:1000])


def test_a_crash_is_counted_as_an_output_and_never_redrawn(reference, maker):
    subject = WholeReleases(reference)
    draws = sample(subject, maker.settled()[:5], 9, b"s")
    assert subject.calls == 9
    assert (draws.atoms < 0).all(axis=1).tolist() == [False, False, True] * 3
    assert Sides(draws, draws).crashed == 6


def test_a_subject_that_gives_no_plan_at_all_broke_the_protocol(reference, maker):
    with pytest.raises(SubjectError, match="no release of 4 gave a plan"):
        sample(WholeReleases(reference, 1), maker.settled()[:5], 4, b"s")


def test_an_exception_in_sample_is_the_subjects(reference, maker):
    class Raises(WholeReleases):
        def sample(self, records, runs):
            raise ZeroDivisionError

    assert isinstance(Raises(reference), Batched)
    with pytest.raises(SubjectError, match="sample raised ZeroDivisionError") as caught:
        sample(Raises(reference), [], 4, b"s")
    assert caught.value.exit_code == 4


def test_whole_releases_have_the_masses_of_their_plans(reference, maker):
    draws = sample(WholeReleases(reference, 10**9), maker.settled(), 3, b"s")
    assert draws.atoms.shape == (3, 3)
    assert (draws.masses[:, :2] > 10).all()
    assert (draws.masses * 2**20 == np.round(draws.masses * 2**20)).all()


def test_halves_are_disjoint(reference, maker):
    sides = labelled(reference, families(maker)[2].candidates[0], 100, b"1")
    first, second = sides.halves()
    assert first.runs + second.runs == 100
    assert np.array_equal(np.concatenate([first.with_.masses, second.with_.masses]), sides.with_.masses)
