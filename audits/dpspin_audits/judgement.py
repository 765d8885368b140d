"""One family of pairs, tried on a subject: pilot, training, test.

The pilot picks the candidate with the largest effect, training fixes the rules, and fresh runs are counted; no run
serves two of these.  A judgement is small, so that families can be tried anywhere and only figures come back.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dpspin_audits.pairs import Family, Pair
from dpspin_audits.statistics import bounds, guessing, learned
from dpspin_audits.statistics.bounds import Guesses
from dpspin_audits.statistics.features import FINEST, Floats, Seen, see
from dpspin_audits.statistics.laplace import LaplaceScore
from dpspin_audits.statistics.medians import shift_interval
from dpspin_audits.subject import BlackBox, Claim
from dpspin_audits.trials import Effort, Sides, derive, labelled

Score = Callable[[Seen], Floats]


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


class LowerBound(NamedTuple):
    """One lower bound on epsilon."""

    pair: str
    score: str
    guesses: Guesses
    alpha: float
    epsilon_at_least: float
    detectable: float | None
    """The least true epsilon that would have been found with 90 % power; None where none would."""


class Judgement(NamedTuple):
    """What one family showed."""

    ideal: tuple[LowerBound, ...]
    """Rounded masses."""
    bits: tuple[LowerBound, ...]
    """Low-order bits."""
    shift: tuple[float, float] | None
    """Confidence interval for the sum over probed atoms of the shift of their median, in units of mass."""
    runs: int
    crashed: int
    """LowerBound runs that gave no plan; they were counted as an output."""


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
    if terms.claim.mechanism == "laplace" and terms.claim.scale is not None:
        scores["stated law"] = LaplaceScore(pair.before, pair.after, float(terms.claim.scale))
    return Judgement(
        tuple(_test(pair, name, score, rounded[1:], terms) for name, score in sorted(scores.items())),
        (_test(pair, "learned from low-order bits", learned.learn_bits(*exact[0]), exact[1:], terms),),
        _shift(testing, exact[2], terms.alpha) if family.heavy else None,
        testing.runs,
        testing.crashed,
    )


def _strongest(family: Family, subject: BlackBox, terms: Terms, seed: bytes) -> Pair:
    """The candidate whose pilot runs differ most: the sum of squared standardised differences of mean masses."""
    if len(family.candidates) == 1 or terms.effort.pilot == 0:
        return family.candidates[0]
    effects = [
        _effect(labelled(subject, pair, terms.effort.pilot, derive(seed, str(number))), pair)
        for number, pair in enumerate(family.candidates)
    ]
    return family.candidates[int(np.argmax(effects))]


def _effect(sides: Sides, pair: Pair) -> float:
    masses = [seen.mass for seen in _seen(sides, pair, None)]
    gap = masses[1].mean(axis=0) - masses[0].mean(axis=0)
    return float((gap**2 / (masses[0].var(axis=0) + masses[1].var(axis=0) + 1e-300)).sum())


def _seen(sides: Sides, pair: Pair, step: float | None) -> tuple[Seen, Seen]:
    return see(sides.without, pair.atoms, step), see(sides.with_, pair.atoms, step)


def _test(pair: Pair, name: str, score: Score, seen: Iterable[tuple[Seen, Seen]], terms: Terms) -> LowerBound:
    """Fix a rule on the first runs, count the second ones."""
    choosing, testing = [(score(without), score(with_)) for without, with_ in seen]
    claimed = float(terms.claim.delta)
    rule = guessing.choose(*choosing, claimed, terms.alpha)
    guesses, delta = guessing.guess(rule, *testing), rule.delta(claimed)
    least = bounds.epsilon_at_least(guesses, delta, terms.alpha)
    found = bounds.detectable(guesses, float(terms.claim.epsilon), delta, terms.alpha)
    return LowerBound(pair.name, name, guesses, terms.alpha, least, found)


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


def refutes(test: LowerBound, claim: Claim) -> bool:
    """Whether the bound exceeds the claim, compared exactly."""
    return Fraction(test.epsilon_at_least) > claim.epsilon
