"""All families of an audit, tried on a subject: who draws, what is kept, and how far it is.

No figure depends on any of that.  When it ends, however it ends, nothing draws any more: what replaces the generators
of this process (`dpspin_audits.noise.tap`) may begin.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import NamedTuple, Protocol

from dpspin_audits.distribution.judgement import Judgement, drawn, tried
from dpspin_audits.distribution.terms import Terms
from dpspin_audits.distribution.trials import Effort
from dpspin_audits.distribution.work import Address, Work
from dpspin_audits.pairs.families import Family
from dpspin_audits.subject import BlackBox


class Kept(Protocol):
    """Where finished families are kept (`checkpoint.Checkpoint`)."""

    def get(self, family: str) -> Judgement | None:
        """What was found; None where it is not finished."""
        ...

    def put(self, family: str, found: Judgement) -> None:
        """Keep it."""
        ...


class Share(NamedTuple):
    """How far the labelled runs are."""

    runs: int
    planned: int
    epsilon_at_least: float
    """The largest bound of the families that are finished."""


def _nobody(_: Share) -> None:
    """Nobody is told."""


class Workplace(NamedTuple):
    """Who draws the blocks of an audit, and who is told."""

    executor: Executor | None = None
    """None for this thread alone."""
    address: Address | None = None
    """For an executor of other processes; None for threads of this one, whose subject must bear several at once."""
    families: int = 1
    """Families in progress at once: each holds its runs in memory."""
    kept: Kept | None = None
    gauge: Callable[[Share], None] = _nobody
    lost: tuple[type[Exception], ...] = (BrokenExecutor,)
    """What the executor raises when a worker is gone for good."""


HERE = Workplace()


def judgements(
    families: Sequence[Family], subject: BlackBox, terms: Terms, place: Workplace, announce: Callable[[str], None]
) -> list[Judgement]:
    """Judgements in the order of the families.

    Args:
        families: to try.
        subject: under audit.
        terms: what holds for all of them.
        place: where the work is done.
        announce: told the name of each before it is waited for.

    Raises:
        SubjectError: of the first family, in their order, that the subject breaks off in.
    """
    progress = _Progress(sum(planned(family, terms.effort) for family in families), place.gauge)
    work = Work(place.address or partial(drawn, subject), place.executor, progress.drawn, place.lost)
    one = partial(_one, work=work, terms=terms, place=place, progress=progress)
    with ThreadPoolExecutor(place.families if place.executor else 1) as drivers:
        begun = [drivers.submit(one, family) for family in families] if place.executor else []
        try:
            found = []
            for at, family in enumerate(families):
                announce(family.name)
                found.append(begun[at].result() if begun else one(family))
            return found
        finally:
            for later in begun:
                later.cancel()
            work.close()


def _one(family: Family, work: Work, terms: Terms, place: Workplace, progress: "_Progress") -> Judgement:
    found = None if place.kept is None else place.kept.get(family.name)
    if found is None:
        found = tried(family, work, terms)
        if place.kept is not None:
            place.kept.put(family.name, found)
    else:
        progress.drawn(planned(family, terms.effort))
    progress.found(found)
    return found


def planned(family: Family, effort: Effort) -> int:
    """Labelled runs that a family takes."""
    pilots = len(family.candidates) if len(family.candidates) > 1 else 0
    return pilots * effort.pilot + effort.training + effort.testing


class _Progress:
    """Adds up what several threads report."""

    def __init__(self, planned_runs: int, gauge: Callable[[Share], None]) -> None:
        self._share, self._gauge, self._turn = Share(0, planned_runs, 0.0), gauge, Lock()

    def drawn(self, runs: int) -> None:
        """So many runs more."""
        with self._turn:
            self._share = self._share._replace(runs=self._share.runs + runs)
            self._gauge(self._share)

    def found(self, judgement: Judgement) -> None:
        """A family is finished."""
        least = max(test.epsilon_at_least for test in (*judgement.ideal, *judgement.bits))
        with self._turn:
            self._share = self._share._replace(epsilon_at_least=max(least, self._share.epsilon_at_least))
            self._gauge(self._share)
