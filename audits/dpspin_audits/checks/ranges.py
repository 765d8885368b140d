"""Masses that only one of two adjacent corpora can give: beyond all that the other one's noise may reach.

Both corpora give an atom so much mass that it is always admitted, and differ in one unit on it.  Scouts of one corpus
say where its masses end; fresh runs beyond that end, counted for both, are an event like any other.  Noise that ends c
scales from its centre shows itself in a share of (e^epsilon - 1) e^-c / 2 of the runs: at epsilon 1 up to c = 5.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from dpspin_audits.distribution.trials import derive, sample, stream
from dpspin_audits.pairs.adjacent import Change, Pair, pair
from dpspin_audits.pairs.corpora import Maker, Member
from dpspin_audits.statistics.bounds import Guesses
from dpspin_audits.subject import BlackBox, Records

SCOUTS, RUNS = 4000, 20_000
"""Plans of each corpus that say where its masses end, and of both together that are counted."""


class Edge(NamedTuple):
    """Masses beyond an end, and how well they tell the corpus."""

    event: str
    guesses: Guesses


def pair_of(maker: Maker) -> Pair:
    """A unit that comes to many others on its atom."""
    found = maker.probes.single[0]
    new = Member(next(maker.identifiers("range")), maker.full(found))
    old = Member(next(maker.identifiers("before")), ("",)) if maker.replaces else None
    return pair("units on the same atom", maker, maker.heavy(found), Change(new, old))


def edges(subject: BlackBox, made: Pair, seed: bytes) -> Iterator[Edge]:
    """Both ends of the masses of the atom that the unit raises most; none where it is not released.

    Raises:
        SubjectError: when `sample` breaks the protocol.
    """
    atom = max(made.atoms, key=lambda one: made.after[one] - made.before[one])

    def masses(records: Records, runs: int, purpose: str) -> Any:
        drawn = sample(subject, records, runs, derive(seed, purpose))
        return drawn.masses[drawn.atoms == atom]

    low, high = (masses(records, SCOUTS, f"scout {at}") for at, records in enumerate((made.without, made.with_)))
    if not len(low) or not len(high):
        return
    with_ = int(stream(derive(seed, "coin")).binomial(RUNS, 0.5))
    without, more = masses(made.without, RUNS - with_, "test 0"), masses(made.with_, with_, "test 1")
    above = [int(np.count_nonzero(side > low.max())) for side in (without, more)]
    below = [int(np.count_nonzero(side < high.min())) for side in (without, more)]
    yield Edge(f"atom {atom} above all masses without the unit", Guesses(RUNS, sum(above), above[1]))
    yield Edge(f"atom {atom} below all masses with the unit", Guesses(RUNS, sum(below), below[0]))
