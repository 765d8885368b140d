"""What the checks of the zoo spend on an implementation, in runs; measured, with room to spare."""

from typing import NamedTuple


class Cost(NamedTuple):
    """Of one check in an audit at smoke depth, at most."""

    strength: str
    """Of a hit: exact, exact on hit, statistical or declared; a check with two variants has both."""
    releases: int
    """Whole releases, under the subject's own noise or under noise from outside."""
    plans: int
    """Plans sampled."""


COSTS = {
    "accounting.claim": Cost("exact", 0, 0),
    "accounting.certificate": Cost("exact", 0, 0),
    "universe.provenance": Cost("declared", 0, 0),
    "hygiene": Cost("exact on hit", 5, 0),
    "contract": Cost("exact", 5, 0),
    "rng": Cost("exact on hit", 200, 0),
    "canary": Cost("exact on hit, statistical", 1_000, 0),
    "errors": Cost("exact on hit", 100, 0),
    "budget": Cost("exact on hit", 10, 0),
    "independence": Cost("statistical", 200, 4_000),
    "support": Cost("statistical", 1_200, 200_000),
    "sampling": Cost("statistical", 300, 21_000),
    "sensitivity": Cost("exact on hit, statistical", 300, 0),
    "locality": Cost("exact on hit", 200, 0),
    "grouping": Cost("exact on hit", 300, 0),
    "noninterference": Cost("exact on hit", 50, 0),
    "tripwire": Cost("exact on hit", 2, 0),
    "conduct": Cost("exact on hit", 30, 0),
    "distribution.ideal": Cost("statistical", 0, 3_000_000),
    "distribution.bits": Cost("statistical", 0, 3_000_000),
}
"""By check, the cheapest first; the two checks of the distribution look at the same runs."""
