"""Every task's result is taken once, in order, whoever does it and whoever is lost."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from dpspin.errors import UsageError
from dpspin_audits.distribution import workplaces
from dpspin_experiments.scale import partitions, places
from dpspin_experiments.scale.places import Here, Pool, cluster, processes

PIECES = 8


class Scripted(Executor):
    """An executor that loses some of what it is given, or all from some time on."""

    def __init__(self, losses):
        self.losses, self.broken = losses, False

    def submit(self, fn, /, *given, **named):
        if self.broken:
            raise BrokenExecutor("ended")
        future = Future()
        if next(self.losses, False):
            self.broken = True
            future.set_exception(BrokenExecutor("ended"))
        else:
            future.set_result(fn(*given))
        return future


def pool(*losses):
    script, started = iter(losses), []

    def start():
        started.append(Scripted(script))
        return started[-1]

    return Pool(start, 2, (BrokenExecutor,), "--workers 2"), started


@pytest.mark.parametrize("losses", [(), (True,), (False, True, True), (False, False, False, True), (False, True) * 4])
def test_after_losses_every_result_comes_once_and_in_order(losses):
    place, started = pool(*losses)
    assert list(place.each(lambda task: task * task, range(9))) == [task * task for task in range(9)]
    assert len(started) == 1 + sum(losses)


class First(Scripted):
    """Loses the first task that it is given, and finishes those after it."""

    def submit(self, fn, /, *given, **named):
        try:
            return super().submit(fn, *given, **named)
        finally:
            self.broken = False


def test_what_was_done_before_a_loss_was_seen_is_not_done_again():
    script, done = iter([True]), []
    place = Pool(lambda: First(script), 2, (BrokenExecutor,), "--workers 2")
    assert list(place.each(lambda task: done.append(task) or task, range(6))) == list(range(6))
    assert done == [1, 2, 3, 0, 4, 5]


def test_losses_without_end_are_refused():
    place, started = pool(*[True] * 9)
    with pytest.raises(UsageError, match="--workers 2: its workers ended before their work was done, 3 times"):
        list(place.each(abs, range(9)))
    assert len(started) == places.MOST_LOSSES


def test_no_more_is_handed_out_than_a_little_ahead():
    place, _ = pool()
    taken = []
    found = place.each(abs, (taken.append(task) or task for task in range(100)))
    next(found)
    assert len(taken) == 2 * places.AHEAD


def test_an_error_of_the_work_passes_through():
    place, _ = pool()
    place._executor = processes_of_one = type("Now", (Scripted,), {"submit": failing})(iter(()))
    with pytest.raises(UsageError, match="a: b; c"):
        list(place.each(abs, [1]))
    assert processes_of_one is place._executor


def failing(self, fn, /, *given):
    future = Future()
    future.set_exception(UsageError("a", "b", "c"))
    return future


@pytest.fixture(scope="module")
def corpus(small, tmp_path_factory):
    """Parts that take a while, so that some are under way when a worker is killed."""
    rows = [{**row, "user": f"U{n % 40}"} for n, row in enumerate(small.rows[:120] * 24)]
    cuts = range(0, len(rows) + 1, len(rows) // PIECES)
    return rows, small.laid_out(tmp_path_factory.mktemp("corpus") / "c", [rows[a:b] for a, b in pairwise(cuts)])


class Killing:
    """A place one of whose workers is killed after the first part."""

    def __init__(self, place, kill, slow=lambda work: work):
        self.place, self.kill, self.slow, self.killed = place, kill, slow, 0

    def each(self, work, tasks):
        for number, found in enumerate(self.place.each(self.slow(work), tasks)):
            yield found
            if number == 0 and work is not partitions.look and not self.killed:
                self.killed = self.kill()
                os.kill(self.killed, signal.SIGKILL)


@pytest.mark.parametrize("level", ["single", "users"])
def test_a_killed_process_changes_nothing(small, corpus, level, *, request, tmp_path, monkeypatch):
    setting, (rows, paths) = request.getfixturevalue(level), corpus
    restarted = []
    real = Pool._restart
    monkeypatch.setattr(Pool, "_restart", lambda self: restarted.append(1) or real(self))
    with processes(2) as place:
        killing = Killing(place, lambda: next(iter(place._executor._processes)))
        assert small.computed(paths, setting, tmp_path, killing) == small.by_reference(setting, rows)
    assert killing.killed
    assert restarted == [1]


@pytest.fixture(scope="module")
def local():
    distributed = pytest.importorskip("distributed", reason="Dask is not installed (extra scale)")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": places.LOOPBACK, "silence_logs": 50}
    with distributed.LocalCluster(processes=True, **options) as started:
        yield started


@pytest.mark.parametrize("level", ["single", "users"])
def test_a_cluster_with_a_killed_worker_gives_the_same(small, corpus, level, *, request, tmp_path, local):
    setting, (rows, paths) = request.getfixturevalue(level), corpus
    with cluster(local.scheduler_address, 2) as place:
        killing = Killing(place, lambda: busy(local), lambda work: partial(slowly, work))
        assert small.computed(paths[::-1], setting, tmp_path, killing) == small.by_reference(setting, rows)
    assert killing.killed
    assert killing.killed not in {each.pid for each in local.workers.values()}


def slowly(work, task):
    time.sleep(0.1)
    return work(task)


def busy(started):
    """The process of a worker that has a task under way; some are, as the tasks after the first take a while."""
    for _ in range(1000):
        addresses = {state.address for state in started.scheduler.workers.values() if state.processing}
        found = [each.pid for each in started.workers.values() if each.worker_address in addresses and each.pid]
        if found:
            return found[0]
        time.sleep(0.005)
    return pytest.fail("no worker is at work")


def test_one_worker_is_this_process():
    with processes(1) as place:
        assert type(place) is Here
        assert list(place.each(abs, [-1, 2])) == [1, 2]


def test_a_scheduler_without_workers_is_refused(monkeypatch):
    distributed = pytest.importorskip("distributed", reason="Dask is not installed (extra scale)")
    monkeypatch.setattr(workplaces, "SECONDS", 1)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=places.LOOPBACK) as started,
        pytest.raises(UsageError, match="it has no worker"),
        cluster(started.scheduler_address, 2),
    ):
        pass


def test_processes_end_with_their_parent():
    """The parent is killed, so that it can say nothing to them."""
    code = """
import time
from dpspin_experiments.scale.places import processes
if __name__ == "__main__":
    with processes(2) as place:
        list(place.each(abs, range(4)))
        print(*place._executor._processes, flush=True)
        time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        workers = [int(word) for word in parent.stdout.readline().split()]
        assert len(workers) == 2
        assert all(alive(each) for each in workers)
        parent.kill()
    for _ in range(100):
        if not any(alive(each) for each in workers):
            return
        time.sleep(0.1)
    pytest.fail("a worker outlived its parent")


def alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
