"""Comparative evaluation: two texts, the plan without noise as reference (appendix B.7).  The reference is NON-PRIVATE.

Every pair is asked in both orders, each time in a conversation of its own; which order is asked first follows from a
seed.  A text wins where both orders prefer it.  A judge that names the same position in both orders has looked at the
position: without bias, first and second are equally likely among such pairs.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from dpspin_audits.statistics.bounds import rate_at_least, rate_at_most
from dpspin_experiments.judging.answers import Preference
from dpspin_experiments.judging.asking import Asked
from dpspin_experiments.judging.exhibit import Duel, Exhibit
from dpspin_experiments.judging.rater import body

ALPHA = 0.05
"""Of every interval."""

Outcome = Literal["text", "reference", "same", "mixed", "unread"]
Position = Literal["first", "second"]
Play = Callable[[Duel, int], Asked[Preference]]


class Pair(NamedTuple):
    """One text against the text of the plan without noise."""

    method: str
    outcome: Outcome
    stuck: Position | None
    """The position that was preferred in both orders."""
    malformed: int
    """Answers that could not be read."""


class Rate(NamedTuple):
    """A share with its exact binomial interval (Clopper and Pearson 1934)."""

    part: int
    whole: int
    low: float
    high: float


class Tally(NamedTuple):
    """All pairs of one method."""

    method: str
    pairs: int
    outcomes: dict[Outcome, int]
    wins: Rate | None
    """Of the text, among pairs that one of the two won; None where there is none."""
    first: Rate | None
    """Of the first position, among pairs whose answers name one position twice; 1/2 without bias."""
    malformed: int


def play(method: str, exhibit: Exhibit, reference: Exhibit, order: tuple[bytes, int], ask: Play) -> Pair:
    """Ask in both orders.

    Args:
        method: what the row is called; not shown to the judge.
        exhibit: the text; its own object is not shown.
        reference: the plan without noise and its text.
        order: seed and number of the release, which decide what is asked first.
        ask: the judge.
    """
    seed, number = order
    duel = Duel(
        reference.visible, body(exhibit), body(reference)
    )  # their notices differ: they would tell which is which
    if duel.first == duel.second:
        return Pair(method, "same", None, 0)  # both orders would be one question
    straight_first = hashlib.sha256(seed + duel.id.encode()).digest()[0] % 2 == 0
    asked: dict[bool, Asked[Preference]] = {}
    for straight in (straight_first, not straight_first):
        asked[straight] = ask(duel if straight else duel.turned(), number)
    malformed = sum(a.malformed is not None for one in asked.values() for a in one.attempts)
    straight_answer, turned_answer = asked[True].answer, asked[False].answer
    if straight_answer is None or turned_answer is None:
        return Pair(method, "unread", None, malformed)
    return Pair(method, *_outcome(straight_answer.preferred, turned_answer.preferred), malformed)


def tally(pairs: Sequence[Pair], method: str) -> Tally:
    """Counts and intervals of some pairs."""
    names: tuple[Outcome, ...] = ("text", "reference", "same", "mixed", "unread")
    outcomes: dict[Outcome, int] = {name: sum(pair.outcome == name for pair in pairs) for name in names}
    stuck = [pair.stuck for pair in pairs if pair.stuck]
    return Tally(
        method, len(pairs), outcomes, rate(outcomes["text"], outcomes["text"] + outcomes["reference"]),
        rate(stuck.count("first"), len(stuck)), sum(pair.malformed for pair in pairs),
    )  # fmt: skip


def rate(part: int, whole: int) -> Rate | None:
    """A share and its two-sided interval at confidence 1 - ALPHA; None of nothing."""
    if not whole:
        return None
    return Rate(part, whole, float(rate_at_least(part, whole, ALPHA / 2)), rate_at_most(part, whole, ALPHA / 2))


def _outcome(straight: str, turned: str) -> tuple[Outcome, Position | None]:
    """From the preferred positions; in the straight order the text stands first."""
    if straight == turned == "same":
        return "same", None
    if (straight, turned) == ("first", "second"):
        return "text", None
    if (straight, turned) == ("second", "first"):
        return "reference", None
    stuck: Position | None = "first" if straight == turned == "first" else "second" if straight == turned else None
    return "mixed", stuck
