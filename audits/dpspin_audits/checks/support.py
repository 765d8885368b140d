"""support: outputs that only one of two adjacent corpora can give.

An event is something about the structure of an output: which files, fields, lengths and atoms there are, or that there
is no bundle.  Scouts name events that were seen on one corpus only.  For subjects that offer `sample`, masses beyond
those that scouts of one corpus have are events, too (`checks.ranges`).  Then a fair coin decides for each fresh run
which corpus is used.  Under (epsilon, delta)-DP an event tells the corpus with a bounded rate, so that the number of
right guesses, given the number of runs with the event, is binomial (`statistics.bounds`).  An event that always occurs
on one corpus and never on the other needs ln(1 / a) / ln(1 + e^-eps) runs with it at delta 0: 10 at epsilon 1, 8,932 at
epsilon 8 (a = .05); `sample` gives so many, whole releases do not.

Whole releases are so many that an event of one corpus alone, in half of its releases, is missed with a probability of
at most 1e-6: by scouts if fewer than two of 26 show it, 27 / 2^26 < 4.1e-7, and by the count with 1e-9.  At epsilon 1
and the level that an audit of the smallest deployment leaves an event (4.2e-7), the count needs the event 47 times; of
n runs Bin(n, 1/4) show it, and P(Bin(373, 1/4) < 47) is below 1e-9.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product, zip_longest
from typing import NamedTuple

import numpy as np
from scipy.special import bdtr

from dpspin.errors import UsageError
from dpspin_audits.bundle import released_masses
from dpspin_audits.checks import ranges
from dpspin_audits.checks.check import Check, at_least, level
from dpspin_audits.checks.leaves import leaves
from dpspin_audits.distribution.trials import derive, sample, stream
from dpspin_audits.pairs.adjacent import Change, Pair, pair
from dpspin_audits.pairs.corpora import Maker, Member
from dpspin_audits.running.outcomes import Outcome, release, released
from dpspin_audits.statistics import bounds
from dpspin_audits.statistics.bounds import Guesses
from dpspin_audits.subject import Batched, BlackBox, Claim, Records

ID = "support"
SCOUTS, MOST_RUNS = 26, 500
"""Whole releases: on each corpus to find events, and on both to count them, at most."""
SAMPLED_SCOUTS, SAMPLED_RUNS, PART = 2000, 40_000, 4000
MOST_EVENTS = 16
"""Events of a pair that are counted; each has its part of alpha."""
FEWEST = 2
"""Scouts that must have seen an event."""
OFTEN, MISSED = 1 / 2, 1e-9
"""Runs are enough for an event that so many releases of one corpus show, but for so small a chance."""
TELLING = 20
"""So many runs that show an event on one corpus only are worth a word where they are too few for a verdict."""
REMEDY = "let atoms, fields, files and lengths follow from public parameters and noisy values alone"

Events = Counter[str]
Runs = Callable[[Records, int, str], Iterator[Events]]
"""Corpus, number of runs, purpose -> how many of them showed each event, part by part."""
INDEX = re.compile(r"\[[0-9]+\]")


class _Way(NamedTuple):
    """A way to get outputs."""

    name: str
    runs: Runs
    scouts: int
    """Runs on each corpus that find events."""
    most: int
    """Runs on both together that count them."""


class Found(NamedTuple):
    """What an event showed."""

    pair: str
    event: str
    guesses: Guesses
    epsilon_at_least: float


def check(subject: BlackBox, claim: Claim, maker: Maker, seed: bytes, alpha: float) -> Check:
    """The verdict.

    Args:
        subject: `sample`, where it is offered, shows rarer events among atoms than whole releases.
        claim: what it promises.
        maker: makes corpora.
        seed: of the coin and, for subjects that can be repeated, of their samples.
        alpha: probability of a false alarm, at most.

    Raises:
        SubjectError: when an ordinary release raises, or `sample` breaks the protocol.
    """
    release(subject, maker.settled())
    pairs = list(_pairs(maker))
    each = alpha / (MOST_EVENTS * ((1 + isinstance(subject, Batched)) * len(pairs) + 1))
    ways = [_Way("release", _releases(subject), SCOUTS, needed(claim, each))]
    if isinstance(subject, Batched):
        ways.append(_Way("sample", _samples(subject, seed), SAMPLED_SCOUTS, SAMPLED_RUNS))
    tried = list(product(ways, pairs))
    found = [one for way, made in tried for one in _counted(way, made, claim, each, derive(seed, way.name, made.name))]
    found += _beyond(subject, claim, maker, each, derive(seed, "ranges")) if isinstance(subject, Batched) else []
    figures: dict[str, object] = {"pairs": len(tried), "alpha": level(alpha)}
    worst = max(found, key=lambda one: one.epsilon_at_least, default=None)
    if worst is not None and worst.epsilon_at_least > claim.epsilon:
        figures |= {"runs": worst.guesses.guessed, "epsilon_at_least": at_least(worst.epsilon_at_least)}
        return Check(
            ID, "fail", "statistical", "One of two corpora alone gives an output.", figures,
            f"{worst.event!a} was seen on one corpus in {worst.guesses.right} of {worst.guesses.guessed} runs with it "
            f"({worst.pair})", REMEDY,
        )  # fmt: skip
    alone = [one for one in found if one.guesses.right == one.guesses.guessed >= TELLING]
    if alone:
        return Check(
            ID, "inconclusive", "statistical", "One of two corpora alone may give an output.", figures,
            f"{alone[0].event!a} was seen on one corpus only, in {alone[0].guesses.guessed} runs; at the claimed "
            "epsilon more would be needed", REMEDY,
        )  # fmt: skip
    return Check(ID, "pass", "statistical", "No output was found that one of two corpora alone gives.", figures)


def needed(claim: Claim, alpha: float) -> int:
    """Runs on both corpora in which an event that OFTEN shows on one and never on the other refutes the claim.

    Args:
        claim: epsilon and delta.
        alpha: level of one event.

    Returns:
        The fewest that fail to do so with a probability of at most MISSED, or MOST_RUNS.
    """
    shown = 0  # so often, at least, but for that chance
    for runs in range(1, MOST_RUNS):
        while bdtr(shown, runs, OFTEN / 2) <= MISSED:
            shown += 1
        if bounds.epsilon_at_least(Guesses(runs, shown, shown), float(claim.delta) / 2, alpha) > claim.epsilon:
            return runs
    return MOST_RUNS


def _pairs(maker: Maker) -> Iterator[Pair]:
    """A unit on an atom that no other unit touches: alone, and among units on another atom."""
    found = maker.probes.single[0]
    others = [other for other in maker.probes.single if not set(other.atoms) & set(found.atoms)]
    change = Change(
        Member(next(maker.identifiers("support")), maker.full(found)),
        Member(next(maker.identifiers("before")), ("",)) if maker.replaces else None,
    )
    yield pair("no other unit", maker, [], change)
    if others:
        yield pair("units on another atom", maker, maker.heavy(others[0]), change)


def _counted(way: _Way, made: Pair, claim: Claim, alpha: float, seed: bytes) -> list[Found]:
    """Events that scouts saw on one corpus only, counted on fresh runs; none where both soon show them all."""
    corpora = (made.without, made.with_)
    seen = [_total(way.runs(records, way.scouts, f"scout {side}")) for side, records in enumerate(corpora)]
    alone = [
        (-count, event, side)
        for side in (0, 1)
        for event, count in seen[side].items()
        if count >= FEWEST and not seen[1 - side][event]
    ]
    events = [(event, side) for _, event, side in sorted(alone)[:MOST_EVENTS]]
    if not events:
        return []
    with_ = int(stream(derive(seed, "coin")).binomial(way.most, 0.5))
    parts = (way.runs(made.without, way.most - with_, "test 0"), way.runs(made.with_, with_, "test 1"))
    counts = _until_shown(parts, [event for event, _ in events])
    if counts is None:
        return []
    guesses = [Guesses(way.most, counts[0][event] + counts[1][event], counts[side][event]) for event, side in events]
    return [_found(made, event, each, claim, alpha) for (event, _), each in zip(events, guesses, strict=True)]


def _found(made: Pair, event: str, guesses: Guesses, claim: Claim, alpha: float) -> Found:
    return Found(made.name, event, guesses, bounds.epsilon_at_least(guesses, float(claim.delta) / 2, alpha))


def _beyond(subject: BlackBox, claim: Claim, maker: Maker, alpha: float, seed: bytes) -> list[Found]:
    """What masses beyond an end showed; too few of them for a verdict are what unbounded noise gives."""
    made = ranges.pair_of(maker)
    found = [_found(made, edge.event, edge.guesses, claim, alpha) for edge in ranges.edges(subject, made, seed)]
    return [one for one in found if one.epsilon_at_least > claim.epsilon]


def _total(parts: Iterable[Events]) -> Events:
    return sum(parts, Events())


def _until_shown(parts: Sequence[Iterable[Events]], events: Sequence[str]) -> list[Events] | None:
    """Events of two corpora, run by run in turns; None as soon as both have shown every one."""
    counts = [Events(), Events()]
    for some in zip_longest(*parts, fillvalue=Events()):
        for count, part in zip(counts, some, strict=True):
            count.update(part)
        if all(counts[0][event] and counts[1][event] for event in events):
            return None
    return counts


def _releases(subject: BlackBox) -> Runs:
    def runs(records: Records, count: int, _: str) -> Iterator[Events]:
        return (Events(features(released(subject, records))) for _ in range(count))

    return runs


def _samples(subject: BlackBox, seed: bytes) -> Runs:
    def runs(records: Records, count: int, purpose: str) -> Iterator[Events]:
        for start in range(0, count, PART):
            part = derive(seed, purpose, str(start))
            atoms = sample(subject, records, min(PART, count - start), part).atoms
            numbers, counts = np.unique(atoms, return_counts=True)
            yield Events({f"atom {number}": int(times) for number, times in zip(numbers, counts, strict=True)})

    return runs


def features(outcome: Outcome) -> set[str]:
    """The structure of an output."""
    if outcome.bundle is None:
        return {f"no bundle, {outcome.error}"}
    found = set()
    for path, value in leaves(outcome.bundle).items():
        name, _, place = path.partition(": ")
        if place.startswith("word ") or place == "bytes":
            found.add(name)
        elif place.endswith(".length"):
            found.add(f"{INDEX.sub('', path)} = {value}")
        else:
            found.add(INDEX.sub("", path))
    try:
        return found | {f"atom {atom}" for atom in released_masses(outcome.bundle)}
    except UsageError:
        return found
