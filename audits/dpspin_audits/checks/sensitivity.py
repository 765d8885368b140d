"""sensitivity: how far one unit can move the sums that noise is added to.

Under held noise, a search looks for adjacent corpora that move values furthest over their noise: the loss that such a
pair implies is exact.  Where the subject shows its contribution map or its exact sketch, they are searched for a unit
that breaks the bound.  A hit is a violation for certain.  Whatever it shows, released masses of atoms that are always
admitted must not shift by more than Delta_1: the shift of a median is bounded without any assumption on the noise.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, cycle, islice

from dpspin.adjacency import sensitivity
from dpspin.decimals import exact
from dpspin_audits.checks import contributions, frozen, hostile_units, shifts, sketches
from dpspin_audits.checks.check import Check, at_least, at_most
from dpspin_audits.checks.contributions import Searched
from dpspin_audits.distribution.judgement import Judgement
from dpspin_audits.distribution.trials import derive, stream
from dpspin_audits.noise.exposed import beside
from dpspin_audits.noise.held import NEEDS, holding
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.subject import BlackBox, Claim, Sketches, Staged

ID = "sensitivity"
REMEDY = "scale every unit's contribution to at most the claimed bound, unit by unit, in integers"
TELLING = 0.5
"""A pass on released masses needs an interval narrower than this part of Delta_1."""


def texts(words: Sequence[str], count: int, seed: bytes) -> list[str]:
    """At least `count` texts: hostile ones, long repetitions, and random mixtures of words with weight."""
    coin = stream(derive(seed, "texts"))
    mixed = [
        " ".join(words[at] for at in coin.integers(0, len(words), int(coin.integers(1, 60)))) for _ in range(count)
    ]
    wild = [f"{text}{hostile}{text.upper()}" for text, hostile in zip(mixed, cycle(hostile_units.TEXTS), strict=False)]
    long = [f"{word} " * 5000 for word in islice(words, 20)]
    return list(chain(hostile_units.TEXTS, long, mixed[: count // 2], wild[count // 2 :]))


def check(
    subject: object, claim: Claim, judgements: Sequence[Judgement], maker: Maker, searched: Sequence[str]
) -> Check:
    """The verdict, by the strongest variant that the subject offers.

    Args:
        subject: every protocol that it offers is used.
        claim: what it promises.
        judgements: families already tried; their shifts are used.
        maker: makes records.
        searched: texts to try.

    Raises:
        SubjectError: when it raises on ordinary records, or changes the records that it is given.
    """
    limit = sensitivity(claim.adjacency, claim.mass_bound, len(maker.setting.universe)).l1
    shown = [*_held(subject, claim, maker), *_staged(subject, claim, maker, searched)]
    measured = [judgement.shift for judgement in judgements if judgement.shift is not None]
    found = [*shown, _measured(measured, limit)]
    return next((check for check in found if check.status == "fail"), found[0])


def _held(subject: object, claim: Claim, maker: Maker) -> Iterator[Check]:
    """Verdicts under held noise, the strongest first."""
    if not isinstance(subject, BlackBox):
        return
    with holding(subject) as held:
        if held.injectable:
            yield _verdict(frozen.injected(held, claim, maker))
        for variant, release in held.ways(beside(maker)).items():
            found = shifts.tapped(held, variant, release, claim, maker)
            if found is not None:
                yield _verdict(found)


def _staged(subject: object, claim: Claim, maker: Maker, searched: Sequence[str]) -> Iterator[Check]:
    """Verdicts on a contribution map and on a sketch that are shown."""
    if isinstance(subject, Staged):
        yield _verdict(contributions.searched(subject, claim, maker, searched))
    if isinstance(subject, Sketches):
        yield _verdict(sketches.searched(subject, claim, maker, searched))


def _verdict(found: Searched) -> Check:
    if found.problem is None:
        return Check(ID, "pass", "exact_on_hit", found.summary, found.figures)
    return Check(
        ID, "fail", "exact_on_hit", "A unit breaks the contribution bound.", found.figures, found.problem, REMEDY
    )


def _measured(shifts: Sequence[tuple[float, float]], limit: Fraction) -> Check:
    """The verdict on released masses: intervals for the shift, each at the level of one test."""
    if not shifts:
        return Check(
            ID, "not_run", "statistical", "The influence of one unit was not tested.", {},
            f"{NEEDS}; or `contribution`, `sketch` or `sample`", "offer `sketch`",
        )  # fmt: skip
    low, high = max(shifts)
    figures = {"shift_at_least": at_least(low), "shift_at_most": at_most(high)}
    if Fraction(low) > limit:
        return Check(
            ID, "fail", "statistical", f"One unit moves the sums by more than {exact(limit)}.", figures,
            f"released masses shift by at least {at_least(low)}, more than Delta_1 = {exact(limit)}", REMEDY,
        )  # fmt: skip
    if min(high - low for low, high in shifts) > TELLING * limit:
        return Check(
            ID, "inconclusive", "statistical", "The influence of one unit was not measured closely.", figures,
            "the interval is wider than half of Delta_1", "audit with more runs",
        )  # fmt: skip
    summary = f"Released masses shift by at most {at_most(high)}; Delta_1 is {exact(limit)}."
    return Check(ID, "pass", "statistical", summary, figures)
