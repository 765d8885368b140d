"""Labelled runs: a fair coin decides for each run whether the unit is in the corpus.

Every stream of randomness follows from the audit's seed and the name of its purpose, so that the same figures come out
in whatever order, and by however many workers, the trials are run.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Thread
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from dpspin import canonical
from dpspin.errors import SubjectError
from dpspin_audits.bundle import released_masses
from dpspin_audits.draws import Draws, draws_of, joined
from dpspin_audits.handed import copies
from dpspin_audits.pairs.adjacent import Pair
from dpspin_audits.subject import Batched, BlackBox, Records, Reproducible

Answer = TypeVar("Answer")
Coins = npt.NDArray[np.bool_]
BLOCK = 50_000
"""Most runs of a block."""
PATIENCE = 900.0
"""Seconds that a subject in this process may take for one call of `sample`, or for one block of releases."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much an audit does; counts, never times, so that it can be repeated."""

    pilot: int
    """Runs by which each candidate of a family is judged, of which one is then tested."""
    training: int
    """Runs on which rules are learned and fixed."""
    testing: int
    """Fresh runs that the bounds are computed from."""
    searched: int = 1000
    """Texts on which the contribution map is tried, at least."""

    @property
    def counts(self) -> list[int]:
        """All of them."""
        return [self.pilot, self.training, self.testing, self.searched]


SMOKE = Effort(pilot=4096, training=40_000, testing=100_000)
WHOLE_RELEASES = Effort(pilot=0, training=600, testing=1400)
"""For a subject that cannot sample: every run is a whole release."""


class Sides(NamedTuple):
    """Runs on the two corpora of a pair."""

    without: Draws
    with_: Draws

    @property
    def runs(self) -> int:
        """Runs on both."""
        return len(self.without.atoms) + len(self.with_.atoms)

    @property
    def crashed(self) -> int:
        """Runs that gave no plan."""
        return sum(int((draws.atoms < 0).all(axis=1).sum()) for draws in self)

    def halves(self) -> tuple["Sides", "Sides"]:
        """The runs in two disjoint parts, by position."""
        cuts = [len(draws.atoms) // 2 for draws in self]
        first, second = ([d.part(*((0, c) if low else (c, None))) for d, c in zip(self, cuts, strict=True)]
                         for low in (True, False))  # fmt: skip
        return Sides(*first), Sides(*second)


def derive(seed: bytes, *purpose: str) -> bytes:
    """A seed for one purpose; different purposes give unrelated streams."""
    return hashlib.sha256(canonical.dumps([seed.hex(), *purpose])).digest()


def stream(seed: bytes) -> np.random.Generator:
    """The audit's own coin."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(int.from_bytes(b"\x01" + seed))))


class Block(NamedTuple):
    """Labelled runs that one call draws: the unit of work.

    What is drawn is a function of these three and nothing else where the subject is `Reproducible`: a block may be
    drawn anywhere, in any order, and again where the first attempt was lost.
    """

    pair: Pair
    runs: int
    seed: bytes


def blocks(pair: Pair, runs: int, seed: bytes) -> list[Block]:
    """So many runs on a pair, divided; each block has a seed of its own."""
    sizes = [min(BLOCK, runs - start) for start in range(0, runs, BLOCK)]
    return [Block(pair, size, derive(seed, str(at))) for at, size in enumerate(sizes)]


def labelled(subject: BlackBox, pair: Pair, runs: int, seed: bytes) -> Sides:
    """Independent runs of a subject on a pair, block by block; see `labelled_block`."""
    return assembled([labelled_block(subject, *block) for block in blocks(pair, runs, seed)])


def assembled(parts: Sequence[Sides]) -> Sides:
    """Blocks one after the other, in the order in which they were divided."""
    without, with_ = (joined(side) for side in zip(*parts, strict=True))
    width = max(side.atoms.shape[1] for side in (without, with_))
    return Sides(without.wide(width), with_.wide(width))


def labelled_block(subject: BlackBox, pair: Pair, runs: int, seed: bytes) -> Sides:
    """One block; a fair coin divides its runs.

    Raises:
        SubjectError: when the subject breaks the protocol, gives no plan at all, or no answer.
    """
    with_ = int(stream(derive(seed, "coin")).binomial(runs, 0.5))
    return Sides(
        sample(subject, pair.without, runs - with_, derive(seed, "without")),
        sample(subject, pair.with_, with_, derive(seed, "with")),
    )


def labels(sides: Sides, seed: bytes) -> Coins:
    """bool[runs]: the coin of every run, True for one with the unit.

    Runs on either corpus are alike, so any order of the coins that does not look at them has the law of fair tosses.
    """
    coins = np.repeat([False, True], [len(draws.atoms) for draws in sides])
    return stream(derive(seed, "order")).permutation(coins)


def divided(sides: Sides, coins: Coins) -> tuple[tuple[Sides, Coins], tuple[Sides, Coins]]:
    """The first half of the runs, in the order of their coins, and the others; each has coins that are fair by itself.

    Halves of either corpus's runs would not do: the count of one half would tell that of the other.
    """
    middle = len(coins) // 2
    with_ = int(coins[:middle].sum())
    first = Sides(sides.without.part(0, middle - with_), sides.with_.part(0, with_))
    second = Sides(sides.without.part(middle - with_, None), sides.with_.part(with_, None))
    return (first, coins[:middle]), (second, coins[middle:])


def sample(subject: BlackBox, records: Records, runs: int, seed: bytes) -> Draws:
    """Plans of one corpus, by the fastest way that the subject offers.

    Raises:
        SubjectError: when `sample` raises or breaks the protocol, or when no run gives a plan.
    """
    if not isinstance(subject, Batched):
        return _released(subject, records, runs)
    try:
        samples = patient(lambda: _sampler(subject, seed).sample(records, runs))
    except SubjectError:
        raise
    except (Exception, SystemExit) as error:
        raise SubjectError("the subject", f"sample raised {type(error).__name__}") from error
    return draws_of(samples, runs, "the subject")


def patient(work: Callable[[], Answer], seconds: float | None = None) -> Answer:
    """What `work` returns, if it does within so many seconds; PATIENCE where none are given.

    Python cannot end a thread, so one that hangs is left behind; it keeps no process alive.  A subject in a process of
    its own is ended instead.

    Raises:
        SubjectError: when there is no answer in time.  Whatever `work` raises is passed on.
    """
    done: list[Answer] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:  # passed on below
            raised.append(error)

    worker = Thread(target=run, daemon=True)
    worker.start()
    limit = PATIENCE if seconds is None else seconds
    worker.join(limit)
    if raised:
        raise raised[0]
    if not done:
        raise SubjectError("the subject", f"gave no answer within {limit:g} seconds")
    return done[0]


def _sampler(subject: BlackBox, seed: bytes) -> Batched:
    source = subject.reproducible(seed) if isinstance(subject, Reproducible) else subject.fresh()
    if not isinstance(source, Batched):
        raise SubjectError("the subject", "a new instance cannot sample")
    return source


def _released(subject: BlackBox, records: Records, runs: int) -> Draws:
    """Plans read from whole releases; a run that raises or whose plan cannot be read is a symbol, never redrawn."""
    rows = patient(lambda: [_row(subject, records) for _ in range(runs)])
    width = max((len(row) for row in rows), default=0)
    if width == 0:
        raise SubjectError("the subject", f"no release of {runs} gave a plan that can be read")
    padded = [row + [(-1, 0.0)] * (width - len(row)) for row in rows]
    return Draws(
        np.array([[atom for atom, _ in row] for row in padded], np.int64),
        np.array([[mass for _, mass in row] for row in padded], np.float64),
    )


def _row(subject: BlackBox, records: Records) -> list[tuple[int, float]]:
    """One plan; whatever a subject raises is an output symbol, and so is a plan that cannot be read."""
    try:
        masses = released_masses(subject.fresh().release(copies(records)))
    except (Exception, SystemExit):
        if getattr(subject, "lost", None):  # nothing more will come
            raise
        return []
    return [(atom, float(mass)) for atom, mass in masses.items()]
