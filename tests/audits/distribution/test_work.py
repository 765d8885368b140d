"""Blocks come out the same wherever, in whatever order and however often they are drawn."""

import random
import threading
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from dpspin.curator.noise import SystemBits
from dpspin.errors import SubjectError
from dpspin_audits.distribution import trials, work
from dpspin_audits.distribution.judgement import drawn
from dpspin_audits.distribution.trials import blocks, labelled
from dpspin_audits.distribution.work import Address, Work
from dpspin_audits.pairs.families import families
from dpspin_audits.reference_subject import ReferenceSubject


class Shuffled(Executor):
    """Runs what it is given in another order than it was given, as soon as somebody waits."""

    def __init__(self, seed):
        self._coin, self._asked, self._turn, self.order = random.Random(seed), [], threading.Lock(), []

    def submit(self, fn, /, *args, **named):
        future = Future()
        future.result = partial(self._waited, future)
        self._asked.append((len(self._asked), future, partial(fn, *args, **named)))
        return future

    def _waited(self, future, timeout=None):
        with self._turn:
            waiting = [one for one in self._asked if not one[1].done()]
            self._coin.shuffle(waiting)
            for at, one, call in waiting:
                self.order.append(at)
                one.set_result(call())
        return Future.result(future, timeout)


@pytest.fixture
def pair(maker):
    return families(maker)[2].candidates[0]


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(trials, "BLOCK", 100)


def same(one, two):
    return all(np.array_equal(a, b) for x, y in zip(one, two, strict=True) for a, b in zip(x, y, strict=True))


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("seed", range(3))
def test_any_order_gives_the_runs_in_theirs(reference, pair, seed):
    expected = labelled(reference, pair, 950, b"1")
    executor = Shuffled(seed)
    assert same(Work(partial(drawn, reference), executor).begin(pair, 950, b"1")(), expected)
    assert sorted(executor.order) == list(range(10))
    assert executor.order != sorted(executor.order)


@pytest.mark.usefixtures("small_blocks")
def test_threads_and_an_address_give_what_this_thread_gives(reference, setting, pair):
    expected = labelled(reference, pair, 450, b"1")
    assert same(Work(partial(drawn, reference)).begin(pair, 450, b"1")(), expected)
    with ThreadPoolExecutor(3) as pool:
        assert same(Work(partial(drawn, reference), pool).begin(pair, 450, b"1")(), expected)
        assert same(Work(Address("ref", setting), pool).begin(pair, 450, b"1")(), expected)


def test_an_address_is_resolved_once_in_a_process(setting, pair, monkeypatch):
    monkeypatch.setattr(work, "_RESOLVED", {})
    asked, resolve = [], work.addresses.resolve
    monkeypatch.setattr(work.addresses, "resolve", lambda spec, *rest: asked.append(spec) or resolve(spec, *rest))
    for block in blocks(pair, 3, b"1") * 2:
        Address("ref", setting)(block)
    assert asked == ["ref"]


@pytest.mark.usefixtures("small_blocks")
def test_runs_are_told_as_they_come(reference, pair):
    told = []
    Work(partial(drawn, reference), None, told.append).begin(pair, 250, b"1")()
    assert told == [100, 100, 50]


def test_a_lost_process_ends_the_audit_of_a_subject(reference, pair):
    def lost(_):
        raise BrokenExecutor

    with ThreadPoolExecutor(1) as pool, pytest.raises(SubjectError, match="a process that sampled it ended"):
        Work(lost, pool).begin(pair, 10, b"1")()


@pytest.mark.usefixtures("small_blocks")
def test_when_it_is_closed_nothing_draws_any_more(pair):
    running, most = [], []

    def slow(block):
        running.append(block)
        time.sleep(0.02)
        most.append(running.pop())

    with ThreadPoolExecutor(2) as pool:
        busy = Work(slow, pool)
        busy.begin(pair, 10_000, b"1")
        busy.close()
        done = len(most)
        assert running == []
        assert done < 100
        time.sleep(0.1)
        assert len(most) == done
    with pytest.raises(SubjectError, match="its audit has ended"):
        busy.begin(pair, 10, b"1")


class Unseeded(ReferenceSubject):
    """Draws from the system, whatever seed it is given."""

    def _bits(self, block):
        return SystemBits()


def test_a_subject_that_ignores_its_seed_does_not_come_out_twice(setting, pair):
    (block,) = blocks(pair, 50, b"1")
    assert same(drawn(ReferenceSubject(setting), block), drawn(ReferenceSubject(setting), block))
    assert not same(drawn(Unseeded(setting), block), drawn(Unseeded(setting), block))
