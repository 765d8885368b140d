"""Places of work: this thread, processes here, or a Dask cluster (extra `scale`, docs/decisions/0007-dask.md).

Dask runs a block again whose worker was lost.  For a measurement that would be a fault: whoever draws again until an
answer comes selects answers.  It is none here, because a block is a deterministic function of its seed: what the lost
worker would have said is what the next one says.  A subject that is not `Reproducible` is no such function, and is
therefore not taken to a cluster; a process of this machine that is lost ends the audit.
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from dpspin.errors import UsageError
from dpspin_audits.distribution.campaign import HERE, Workplace
from dpspin_audits.distribution.work import Address
from dpspin_audits.subject import BlackBox, Reproducible

SECONDS = 30
"""For the scheduler's first answer."""


@contextmanager
def processes(address: Address, workers: int) -> Iterator[Workplace]:
    """So many processes of this machine, each with a subject of its own; with one, this thread does it all."""
    if workers == 1:
        yield HERE
        return
    executor = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        yield Workplace(executor, address, families=workers)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def cluster(address: Address, scheduler: str, subject: BlackBox) -> Iterator[Workplace]:
    """The workers of a Dask scheduler.

    Args:
        address: of the subject, to be resolved on every worker: they need this program and the subject's modules.
        scheduler: its address, such as tcp://host:8786.
        subject: under audit.

    Raises:
        UsageError: where Dask is not installed, the scheduler does not answer, or the subject cannot be repeated.
    """
    place = f"--cluster {scheduler}"
    if not isinstance(subject, Reproducible):
        raise UsageError(
            place,
            "a subject that is not Reproducible; blocks of a lost worker could not be drawn again as they were",
            "offer `reproducible(seed)`, or use --workers",
        )
    with client(scheduler) as (distributed, connected):
        executor = connected.get_executor(pure=False)
        try:
            yield Workplace(executor, address, families=2, lost=(distributed.KilledWorker,))
        finally:
            executor.shutdown(wait=False)


@contextmanager
def client(scheduler: str) -> Iterator[tuple[Any, Any]]:
    """Dask's module, and a client of a scheduler at an address.

    Raises:
        UsageError: where Dask is not installed, or the scheduler does not answer.
    """
    place, distributed = f"--cluster {scheduler}", dask(scheduler)
    try:
        connected = distributed.Client(scheduler, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(place, f"no scheduler answers ({type(error).__name__})", "name a running one") from error
    with connected:
        yield distributed, connected


def dask(scheduler: str) -> Any:
    """The module `distributed`.

    Raises:
        UsageError: where it is not installed.
    """
    try:
        return import_module("distributed")
    except ImportError as error:
        raise UsageError(
            f"--cluster {scheduler}", "Dask is not installed", 'run pip install "dpspin[scale]"'
        ) from error
