"""Places of work for pure tasks: this process, several, or a Dask cluster; each task's result is taken exactly once.

A worker may be lost at any time, to the kernel's shortage of memory or to a machine's end.  Its tasks are then done
again, which changes nothing: a task is a function of what it was given.  Results come in the order of the tasks, so
that what is wrong with the earliest part is what is said.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from os import _exit
from threading import Thread
from typing import Protocol, TypeVar

from dpspin.errors import UsageError
from dpspin_audits.distribution import workplaces

LOCAL = "local"
LOOPBACK = "127.0.0.1:0"
"""Address of a local scheduler's page, any free port; the default is one port for all, open to the network."""
MOST_LOSSES = 3
"""In succession, without any result between them."""
AHEAD = 2
"""Tasks for each worker that are handed out before the first is back."""

Given = TypeVar("Given")
Found = TypeVar("Found")


class Place(Protocol):
    """Where tasks are done."""

    def each(self, work: Callable[[Given], Found], tasks: Iterable[Given]) -> Iterator[Found]:
        """The result of every task, in the order of the tasks.

        Raises:
            UsageError: as the work does, or where workers are lost again and again.
        """
        ...


class Here:
    """Tasks done by this process, one after the other."""

    def each(self, work: Callable[[Given], Found], tasks: Iterable[Given]) -> Iterator[Found]:
        """The result of every task."""
        return map(work, tasks)


class Pool:
    """The workers of an executor, which is started again where it breaks."""

    def __init__(
        self, start: Callable[[], Executor], workers: int, lost: tuple[type[Exception], ...], place: str
    ) -> None:
        self._start, self._ahead, self._lost, self._place = start, AHEAD * workers, lost, place
        self._executor = start()

    def each(self, work: Callable[[Given], Found], tasks: Iterable[Given]) -> Iterator[Found]:
        """The result of every task."""
        stream, losses = iter(tasks), 0
        begun: deque[tuple[Given, Future[Found]]] = deque()
        while True:
            for task in islice(stream, self._ahead - len(begun)):
                begun.append((task, self._begin(work, task)))
            if not begun:
                return
            try:
                result = begun[0][1].result()
            except self._lost:
                losses += 1
                if losses >= MOST_LOSSES:
                    raise self._refusal() from None
                self._restart()
                begun = deque((task, _kept(future) or self._begin(work, task)) for task, future in begun)
                continue
            losses = 0
            begun.popleft()
            yield result

    def close(self) -> None:
        """Give up what was not asked for."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _begin(self, work: Callable[[Given], Found], task: Given) -> "Future[Found]":
        try:
            return self._executor.submit(work, task)
        except BrokenExecutor as error:  # found out now; told when it is waited for
            failed: Future[Found] = Future()
            failed.set_exception(error)
            return failed

    def _restart(self) -> None:
        self.close()
        self._executor = self._start()

    def _refusal(self) -> UsageError:
        remedy = "give each more memory, or use fewer"
        return UsageError(self._place, f"its workers ended before their work was done, {MOST_LOSSES} times", remedy)


def _kept(future: "Future[Found]") -> "Future[Found] | None":
    """A future whose result is there, else None."""
    return future if future.done() and not future.cancelled() and future.exception() is None else None


@contextmanager
def processes(workers: int) -> Iterator[Place]:
    """So many processes of this machine; with one, this process does it all."""
    if workers == 1:
        yield Here()
        return

    def start() -> Executor:
        return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=end_with_parent)

    pool = Pool(start, workers, (BrokenExecutor,), f"--workers {workers}")
    try:
        yield pool
    finally:
        pool.close()


@contextmanager
def cluster(scheduler: str, workers: int) -> Iterator[Place]:
    """The workers of a Dask scheduler.

    Args:
        scheduler: its address, such as tcp://host:8786, or `local` for one that is started here.
        workers: processes of a local one.

    Raises:
        UsageError: where Dask is not installed, or no scheduler or no worker answers.
    """
    if scheduler == LOCAL:
        options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": LOOPBACK, "silence_logs": 50}
        started = workplaces.dask(scheduler).LocalCluster(processes=True, **options)
        with started, cluster(started.scheduler_address, workers) as place:
            yield place
        return
    with workplaces.client(scheduler) as (distributed, client):
        lost = (distributed.KilledWorker, CancelledError, distributed.comm.core.CommClosedError)
        try:
            client.wait_for_workers(1, timeout=workplaces.SECONDS)
        except TimeoutError as error:
            raise UsageError(f"--cluster {scheduler}", "it has no worker", "start some") from error
        threads = sum(client.nthreads().values())
        yield Pool(lambda: client.get_executor(pure=False), threads, lost, f"--cluster {scheduler}")


def end_with_parent() -> None:
    """End this worker when its parent has ended, however that came about."""
    parent = parent_process()
    if parent is not None:
        Thread(target=lambda: (wait([parent.sentinel]), _exit(1)), daemon=True).start()
