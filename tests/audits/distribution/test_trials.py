"""Runs are labelled by a fair coin, reproducible, and never redrawn."""

from threading import Event

import numpy as np
import pytest

from dpspin.errors import SubjectError
from dpspin_audits.distribution import trials
from dpspin_audits.distribution.trials import Sides, derive, divided, labelled, labels, sample
from dpspin_audits.draws import Draws
from dpspin_audits.pairs.families import families
from dpspin_audits.subject import Batched


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


class Hangs(WholeReleases):
    """Waits for what never comes."""

    def release(self, records):
        Event().wait()


class HangsInBatches(Hangs):
    """The same where it can sample."""

    def sample(self, records, runs):
        Event().wait()


@pytest.mark.parametrize("kind", [Hangs, HangsInBatches])
def test_a_subject_that_hangs_is_given_up(reference, maker, monkeypatch, kind):
    monkeypatch.setattr(trials, "PATIENCE", 0.05)
    with pytest.raises(SubjectError, match=r"no answer within 0\.05 seconds") as caught:
        sample(kind(reference), maker.settled()[:5], 4, b"s")
    assert caught.value.exit_code == 4


def test_blocks_have_seeds_of_their_own(reference, maker, monkeypatch):
    """The first block is the same however many follow, and no block repeats another."""
    monkeypatch.setattr(trials, "BLOCK", 500)
    pair = families(maker)[2].candidates[0]
    one, two = (labelled(reference, pair, runs, b"1").with_.masses for runs in (500, 1000))
    assert np.array_equal(one, two[: len(one)])
    assert not np.array_equal(two[:100], two[len(one) : len(one) + 100])


def test_plans_of_different_widths_are_kept_side_by_side(reference, maker):
    class Widens(WholeReleases):
        def sample(self, records, runs):
            width = 2 + (len(records) > 1)
            return Draws(np.zeros((runs, width), np.int64), np.ones((runs, width)))

    pair = families(maker)[2].candidates[0]
    found = labelled(Widens(reference), pair, 100, b"1")
    assert found.without.atoms.shape[1] == found.with_.atoms.shape[1]


def test_coins_are_those_of_the_runs_in_a_random_order(reference, maker):
    sides = labelled(reference, families(maker)[2].candidates[0], 2000, b"1")
    coins = labels(sides, b"1")
    assert coins.sum() == len(sides.with_.atoms)
    changes = int((coins[1:] != coins[:-1]).sum())
    assert abs(changes - 1000) < 160  # seven standard deviations
    assert np.array_equal(coins, labels(sides, b"1"))


def test_runs_are_divided_in_the_order_of_their_coins(reference, maker):
    sides = labelled(reference, families(maker)[2].candidates[0], 301, b"1")
    coins = labels(sides, b"1")
    parts = divided(sides, coins)
    assert [len(part) for _, part in parts] == [150, 151]
    for at, side in enumerate(("without", "with_")):
        together = np.concatenate([part[at].masses for part, _ in parts])
        assert np.array_equal(together, getattr(sides, side).masses)
    for part, own in parts:
        assert (len(part.with_.atoms), len(part.without.atoms)) == (own.sum(), (~own).sum())
    assert abs(len(parts[0][0].with_.atoms) - len(parts[1][0].with_.atoms)) > 1  # halves of either corpus would be even
