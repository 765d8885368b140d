"""One family of pairs, tried on a subject: pilot, training, test.

The pilot picks the candidate with the largest effect, training fixes the rules, and fresh runs are counted; no run
serves two of these.  A judgement is small, so that families can be tried anywhere and only figures come back.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpspin_audits import stated
from dpspin_audits.families import Family
from dpspin_audits.pairs import Pair
from dpspin_audits.statistics import bounds, guessing, learned
from dpspin_audits.statistics.bounds import Guesses
from dpspin_audits.statistics.features import FINEST, Floats, Seen, see
from dpspin_audits.statistics.guessing import Point, Rule
from dpspin_audits.statistics.medians import shift_interval
from dpspin_audits.subject import BlackBox, Claim
from dpspin_audits.trials import Effort, Sides, derive, labelled

Score = Callable[[Seen], Floats]

PER_FAMILY = 3
"""Tests of a family against the claim: stated law, plans, low-order bits; its curve and its shift come on top."""
PILOT_ALPHA = 0.05
"""Level of the bounds that candidates are compared by."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for every family of an audit."""

    claim: Claim
    noise_scale: float
    """A typical size of the noise in units of mass: the claimed scale, or that of the deployment."""
    alpha: float
    """Level of each single test."""
    seed: bytes
    effort: Effort
    curve: Sequence[Point] = ()
    """What the stated law promises beyond the claim."""

    @property
    def point(self) -> Point:
        """The claim as a point."""
        return stated.point(self.claim.epsilon, self.claim.delta)


class LowerBound(NamedTuple):
    """One lower bound on epsilon."""

    pair: str
    score: str
    guesses: Guesses
    alpha: float
    point: Point
    """The promise that was tried: the claim, or a point of the stated law's curve."""
    epsilon_at_least: float
    """At the delta of that point."""
    detectable: float | None
    """The least true epsilon that would have been found with 90 % power; None where none would."""

    @property
    def refutes(self) -> bool:
        """Whether the bound exceeds the promise."""
        return self.epsilon_at_least > self.point.epsilon


class Judgement(NamedTuple):
    """What one family showed."""

    ideal: tuple[LowerBound, ...]
    """Rounded masses, against the claim."""
    bits: tuple[LowerBound, ...]
    """Low-order bits, against the claim."""
    law: tuple[LowerBound, ...]
    """Rounded masses, against the stated law where it promises more than the claim."""
    shift: tuple[float, float] | None
    """Confidence interval for the sum over probed atoms of the shift of their median, in units of mass."""
    runs: int
    crashed: int
    """Runs that gave no plan; they were counted as an output."""


def judge(family: Family, subject: BlackBox, terms: Terms) -> Judgement:
    """Try one family.

    Raises:
        SubjectError: when the subject breaks the protocol.
    """
    seed = derive(terms.seed, family.name)
    pair = _strongest(family, subject, terms, derive(seed, "pilot"))
    training = labelled(subject, pair, terms.effort.training, derive(seed, "training"))
    testing = labelled(subject, pair, terms.effort.testing, derive(seed, "testing"))
    fitting, choosing = training.halves()
    step = terms.noise_scale / FINEST
    rounded = [_seen(sides, pair, step) for sides in (fitting, choosing, testing)]
    exact = [_seen(sides, pair, None) for sides in (fitting, choosing, testing)]
    scores: dict[str, Score] = {"learned from plans": learned.learn(*rounded[0], terms.noise_scale)}
    known = stated.score(terms.claim, pair)
    if known is not None:
        scores["stated law"] = known
    tests = _Tests(pair, terms)
    return Judgement(
        tuple(tests.claim(name, _scored(score, rounded[1:])) for name, score in sorted(scores.items())),
        (tests.claim("learned from low-order bits", _scored(learned.learn_bits(*exact[0]), exact[1:])),),
        (tests.curve("stated law, whole curve", _scored(known, rounded[1:])),) if known and terms.curve else (),
        _shift(testing, exact[2], terms.alpha) if family.heavy else None,
        testing.runs,
        testing.crashed,
    )


def _strongest(family: Family, subject: BlackBox, terms: Terms, seed: bytes) -> Pair:
    """The candidate whose pilot runs promise the largest bound; among equals, the one whose masses differ most."""
    if len(family.candidates) == 1 or terms.effort.pilot == 0:
        return family.candidates[0]
    promises = [
        _promise(labelled(subject, pair, terms.effort.pilot, derive(seed, str(number))), pair, terms)
        for number, pair in enumerate(family.candidates)
    ]
    return family.candidates[promises.index(max(promises))]


def _promise(sides: Sides, pair: Pair, terms: Terms) -> tuple[float, float]:
    """The bound of a learned rule on half of the pilot runs, and the effect on all."""
    fitting, choosing = (_seen(half, pair, terms.noise_scale / FINEST) for half in sides.halves())
    (scores,) = _scored(learned.learn(*fitting, terms.noise_scale), [choosing])
    rule = guessing.choose(*scores, terms.point, PILOT_ALPHA)
    return bounds.epsilon_at_least(guessing.guess(rule, *scores), rule.delta, PILOT_ALPHA), _effect(sides, pair)


def _effect(sides: Sides, pair: Pair) -> float:
    """The sum of squared standardised differences of mean masses."""
    masses = [seen.mass for seen in _seen(sides, pair, None)]
    gap = masses[1].mean(axis=0) - masses[0].mean(axis=0)
    return float((gap**2 / (masses[0].var(axis=0) + masses[1].var(axis=0) + 1e-300)).sum())


def _seen(sides: Sides, pair: Pair, step: float | None) -> tuple[Seen, Seen]:
    return see(sides.without, pair.atoms, step), see(sides.with_, pair.atoms, step)


def _scored(score: Score, seen: Iterable[tuple[Seen, Seen]]) -> list[tuple[Floats, Floats]]:
    return [(score(without), score(with_)) for without, with_ in seen]


class _Tests:
    """Tests on one pair: a rule is fixed on the first runs, the second ones are counted."""

    def __init__(self, pair: Pair, terms: Terms) -> None:
        self._pair, self._terms = pair.name, terms

    def claim(self, name: str, scores: list[tuple[Floats, Floats]]) -> LowerBound:
        """Against the claimed epsilon and delta."""
        return self._counted(name, guessing.choose(*scores[0], self._terms.point, self._terms.alpha), scores[1])

    def curve(self, name: str, scores: list[tuple[Floats, Floats]]) -> LowerBound:
        """Against the point of the stated curve that training runs exceed most."""
        return self._counted(name, guessing.choose_among(*scores[0], self._terms.curve), scores[1])

    def _counted(self, name: str, rule: Rule, testing: tuple[Floats, Floats]) -> LowerBound:
        guesses, alpha = guessing.guess(rule, *testing), self._terms.alpha
        least = bounds.epsilon_at_least(guesses, rule.delta, alpha)
        found = bounds.detectable(guesses, rule.point.epsilon, rule.delta, alpha)
        return LowerBound(self._pair, name, guesses, alpha, rule.point, least, found)


def _shift(testing: Sides, seen: tuple[Seen, Seen], alpha: float) -> tuple[float, float] | None:
    """Sum of the shifts of atoms that every run admitted; atoms that some run left out count from zero upwards."""
    always = seen[0].admitted.all(axis=0) & seen[1].admitted.all(axis=0)
    if testing.crashed or not always.any():
        return None
    each = [
        shift_interval(seen[0].mass[:, atom], seen[1].mass[:, atom], alpha / int(always.sum()))
        for atom in np.flatnonzero(always)
    ]
    return sum(low for low, _ in each), sum(high for _, high in each)
