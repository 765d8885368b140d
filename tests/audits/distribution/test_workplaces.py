"""Processes and a Dask cluster give the figures that one thread gives, also where a worker is killed."""

import os
import signal
import sys
import time
from functools import partial

import pytest

from dpspin.errors import UsageError
from dpspin_audits.distribution import workplaces
from dpspin_audits.distribution.campaign import HERE, judgements
from dpspin_audits.distribution.terms import Terms
from dpspin_audits.distribution.trials import Effort, labelled
from dpspin_audits.distribution.work import Address, Work
from dpspin_audits.pairs.families import families


@pytest.fixture
def terms(reference):
    return Terms(reference.claim, 1.0, 5e-5, b"seed", Effort(pilot=64, training=600, testing=1000))


@pytest.fixture
def address(setting):
    return Address("ref", setting, path=tuple(sys.path))


@pytest.fixture
def tried(reference, maker, terms):
    """Judgements of two families, from a place of work."""
    two = families(maker)[1:3]
    return lambda place: judgements(two, reference, terms, place, str)


def test_the_same_figures_for_one_two_and_three_processes(address, tried):
    found = []
    for workers in (1, 2, 3):
        with workplaces.processes(address, workers) as place:
            assert (place == HERE) == (workers == 1)
            found.append(tried(place))
    assert found[0] == found[1] == found[2]


@pytest.fixture(scope="module")
def local():
    distributed = pytest.importorskip("distributed", reason="Dask is not installed (extra scale)")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(processes=True, **options) as cluster:
        yield cluster


def test_a_cluster_gives_the_same_figures(address, reference, tried, local):
    with workplaces.cluster(address, local.scheduler_address, reference) as place:
        assert tried(place) == tried(HERE)


def test_blocks_of_a_killed_worker_come_out_as_they_would_have(reference, address, maker, local, monkeypatch):
    """Blocks take a while, so that one is under way on the worker that is killed."""
    monkeypatch.setattr("dpspin_audits.distribution.trials.BLOCK", 100)
    pair = families(maker)[2].candidates[0]
    expected = labelled(reference, pair, 1600, b"1")
    before = pids(local)
    with workplaces.cluster(address, local.scheduler_address, reference) as place:
        answer = Work(partial(slowly, address), place.executor, lost=place.lost).begin(pair, 1600, b"1")
        while not (busy := processing(local)):
            time.sleep(0.01)
        os.kill(busy[0], signal.SIGKILL)
        found = answer()
    assert busy[0] in before
    assert busy[0] not in pids(local)
    for one, two in zip(found, expected, strict=True):
        assert (one.masses == two.masses).all()
        assert (one.atoms == two.atoms).all()


def slowly(address, block):
    time.sleep(0.1)
    return address(block)


def pids(cluster):
    """Numbers of the processes of the workers that are there."""
    return {worker.pid for worker in cluster.workers.values() if worker.pid}


def processing(cluster):
    """Numbers of the processes of workers that have a block under way."""
    busy = {state.address for state in cluster.scheduler.workers.values() if state.processing}
    return sorted(worker.pid for worker in cluster.workers.values() if worker.worker_address in busy and worker.pid)


def test_what_cannot_be_repeated_is_not_taken_to_a_cluster(address, reference):
    class Once:
        claim = reference.claim

    with pytest.raises(UsageError, match="not Reproducible"), workplaces.cluster(address, "tcp://x:1", Once()):
        pass


def test_without_dask_the_remedy_is_the_extra(address, reference, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"dpspin\[scale\]"), workplaces.cluster(address, "tcp://x:1", reference):
        pass


def test_no_scheduler_is_a_usage_error(address, reference, monkeypatch):
    pytest.importorskip("distributed", reason="Dask is not installed (extra scale)")
    monkeypatch.setattr(workplaces, "SECONDS", 1)
    where = "tcp://127.0.0.1:1"
    with pytest.raises(UsageError, match="no scheduler answers"), workplaces.cluster(address, where, reference):
        pass
