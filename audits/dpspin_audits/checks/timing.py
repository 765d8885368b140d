"""timing: how well the running time of a release tells two adjacent corpora apart; for information only.

The claim is about released bytes.  A correct implementation may show an area under the curve (AUC) of .95, and no run
time may enter evidence; so figures stand in timings.json alone, and no verdict follows from them.
"""

from collections.abc import Callable, Sequence

from dpspin_audits.checks.check import Check
from dpspin_audits.pairs.adjacent import Change, Pair, pair
from dpspin_audits.pairs.corpora import Maker, Member
from dpspin_audits.running.outcomes import released
from dpspin_audits.subject import BlackBox

ID = "timing"
RUNS = 40
"""Releases of each corpus."""
BASE = 20
"""Units that both hold."""


def check() -> Check:
    """Where the figures are."""
    return Check(
        ID, "not_run", "declared", "Running times are no part of the claim.", {},
        "for information, figures stand in timings.json only; no run time enters evidence",
    )  # fmt: skip


def adjacent(maker: Maker) -> Pair:
    """Corpora that differ in a unit of much text."""
    found = maker.probes.wide[0] if maker.probes.wide else maker.probes.single[0]
    new = Member(next(maker.identifiers("timed")), tuple(f"{text} " * 50 for text in maker.overfull(found)))
    old = Member(next(maker.identifiers("before")), ("",)) if maker.replaces else None
    return pair("running time", maker, maker.varied("base", BASE), Change(new, old))


def measured(subject: BlackBox, made: Pair, clock: Callable[[], int], runs: int = RUNS) -> dict[str, object]:
    """Figures for timings.json.

    Args:
        subject: the implementation; whatever its releases come to is timed.
        made: adjacent corpora, released in turns.
        clock: nanoseconds.
        runs: releases of each.
    """
    sides: tuple[list[int], list[int]] = ([], [])
    for _ in range(runs):
        for times, records in zip(sides, (made.without, made.with_), strict=True):
            before = clock()
            released(subject, records)
            times.append(clock() - before)
    medians = [sorted(times)[len(times) // 2] // 1000 for times in sides]
    return {"pair": made.name, "runs": runs, "auc": f"{auc(*sides):.3f}", "median_microseconds": medians}


def auc(without: Sequence[int], with_: Sequence[int]) -> float:
    """The probability that a release with the unit takes longer than one without it; ties count one half."""
    longer = sum((high > low) + (high == low) / 2 for low in without for high in with_)
    return longer / (len(without) * len(with_))
