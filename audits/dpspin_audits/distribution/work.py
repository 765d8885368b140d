"""Where blocks of labelled runs are drawn: in this process, by threads, by processes, or on a cluster.

A block is a function of its pair, its size and its seed (`trials.Block`).  So the figures are the same for any number
of workers and any order, and a block whose worker was lost may be drawn again: it cannot come out differently.
"""

import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from multiprocessing.util import Finalize
from threading import Lock

from dpspin import canonical
from dpspin.errors import SubjectError
from dpspin.pipeline import Setting
from dpspin_audits import addresses
from dpspin_audits.distribution.trials import Block, Sides, assembled, blocks, labelled_block
from dpspin_audits.pairs.adjacent import Pair
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.subject import BlackBox

Draw = Callable[[Block], Sides]
Told = Callable[[int], None]
"""Told the number of runs of every block that was drawn."""


def _nobody(_: int) -> None:
    """Nobody is told."""


@dataclass(frozen=True, slots=True)
class Address:
    """Draws blocks of a subject that is resolved by its address, once in every process that this is sent to."""

    spec: str
    setting: Setting
    seconds: float | None = None
    """For each answer of a command; None for the usual bounds."""
    path: tuple[str, ...] = ()
    """Where that process looks for modules besides its own places."""

    def __call__(self, block: Block) -> Sides:
        """One block; one at a time in a process, since a subject may keep its generator in a global.

        Raises:
            SubjectError: as `trials.labelled_block`.
            UsageError: when the address names no subject there.
        """
        with _TURN:
            return labelled_block(self._subject(), *block)

    def _subject(self) -> BlackBox:
        key = self.spec, canonical.digest(self.setting.deployment_bytes), self.seconds
        if key not in _RESOLVED:
            sys.path.extend(place for place in self.path if place not in sys.path)
            found = addresses.resolve(self.spec, self.setting, ReferenceSubject, self.seconds)
            Finalize(None, addresses.close, (found,), exitpriority=1)  # a command must not outlive its worker
            _RESOLVED[key] = found
        return _RESOLVED[key]


_TURN = Lock()
_RESOLVED: dict[tuple[str, str, float | None], BlackBox] = {}


class Work:
    """Draws blocks by an executor, or here where there is none."""

    def __init__(
        self,
        draw: Draw,
        executor: Executor | None = None,
        told: Told = _nobody,
        lost: tuple[type[Exception], ...] = (BrokenExecutor,),
    ) -> None:
        self._draw, self._executor, self._told, self._lost = draw, executor, told, lost
        self._begun: set[Future[Sides]] = set()
        self._closed = False

    def begin(self, pair: Pair, runs: int, seed: bytes) -> Callable[[], Sides]:
        """Ask for runs; what is returned waits for them.  Without an executor they are drawn when they are waited for.

        Raises:
            SubjectError: on waiting, when the subject breaks the protocol or a process that draws is lost.
            SubjectError: at once, when it was closed.
        """
        made = blocks(pair, runs, seed)
        if self._closed:
            raise SubjectError("the subject", "is asked for nothing more: its audit has ended")
        if self._executor is None:
            return lambda: assembled([self._finished(block, self._draw(block)) for block in made])
        begun = [self._executor.submit(self._draw, block) for block in made]
        self._begun.update(begun)
        return lambda: assembled([self._awaited(*one) for one in zip(made, begun, strict=True)])

    def _awaited(self, block: Block, begun: "Future[Sides]") -> Sides:
        try:
            drawn = begun.result()
        except self._lost as error:
            raise SubjectError("the subject", "a process that sampled it ended") from error
        self._begun.discard(begun)
        return self._finished(block, drawn)

    def _finished(self, block: Block, drawn: Sides) -> Sides:
        self._told(block.runs)
        return drawn

    def close(self) -> None:
        """Give up what was not waited for; afterwards no thread or process draws for this audit."""
        self._closed = True
        begun = list(self._begun)
        for one in begun:
            one.cancel()
        wait(begun)
