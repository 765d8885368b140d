"""Labelled runs: a fair coin decides for each run whether the unit is in the corpus.

Every stream of randomness follows from the audit's seed and the name of its purpose, so that the same figures come out
in whatever order, and by however many workers, the trials are run.
"""

import hashlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpspin import canonical
from dpspin.errors import SubjectError
from dpspin_audits.bundle import released_masses
from dpspin_audits.draws import Draws, draws_of
from dpspin_audits.pairs import Pair
from dpspin_audits.subject import Batched, BlackBox, Records, Reproducible


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


def labelled(subject: BlackBox, pair: Pair, runs: int, seed: bytes) -> Sides:
    """Independent runs of a subject on a pair; a fair coin divides them.

    Raises:
        SubjectError: when the subject breaks the protocol or gives no plan at all.
    """
    with_ = int(stream(derive(seed, "coin")).binomial(runs, 0.5))
    return Sides(
        sample(subject, pair.without, runs - with_, derive(seed, "without")),
        sample(subject, pair.with_, with_, derive(seed, "with")),
    )


def sample(subject: BlackBox, records: Records, runs: int, seed: bytes) -> Draws:
    """Plans of one corpus, by the fastest way that the subject offers.

    Raises:
        SubjectError: when `sample` raises or breaks the protocol, or when no run gives a plan.
    """
    if not isinstance(subject, Batched):
        return _released(subject, records, runs)
    try:
        samples = _sampler(subject, seed).sample(records, runs)
    except SubjectError:
        raise
    except Exception as error:
        raise SubjectError("the subject", f"sample raised {type(error).__name__}") from error
    return draws_of(samples, runs, "the subject")


def _sampler(subject: BlackBox, seed: bytes) -> Batched:
    source = subject.reproducible(seed) if isinstance(subject, Reproducible) else subject.fresh()
    if not isinstance(source, Batched):
        raise SubjectError("the subject", "a new instance cannot sample")
    return source


def _released(subject: BlackBox, records: Records, runs: int) -> Draws:
    """Plans read from whole releases; a run that raises or whose plan cannot be read is a symbol, never redrawn."""
    rows = [_row(subject, records) for _ in range(runs)]
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
        masses = released_masses(subject.fresh().release(records))
    except Exception:
        return []
    return [(atom, float(mass)) for atom, mass in masses.items()]
