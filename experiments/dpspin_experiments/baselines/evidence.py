"""Audit evidence of the plan and of private baselines: lower bounds on epsilon from labelled runs on adjacent pairs.

The pairs are made here, of invented units, so that no audit is a release.  The tests are those of an audit of plans
(`dpspin_audits.distribution.judgement`); a baseline with many cells is judged in a small instance of the same code.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count, islice
from math import ceil
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin.accounting.gaussian import tight_delta
from dpspin.corpus import split
from dpspin.corpus.jsonl import Record as CorpusRecord
from dpspin.deployment import Deployment
from dpspin.errors import UsageError
from dpspin.pipeline import Setting
from dpspin_audits.distribution.judgement import judge
from dpspin_audits.distribution.stated import point
from dpspin_audits.distribution.terms import Terms
from dpspin_audits.distribution.trials import Effort, derive, labelled
from dpspin_audits.pairs.adjacent import ADJACENT, Pair, difference
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.pairs.families import Family, families
from dpspin_audits.pairs.probes import search
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.statistics.bounds import epsilon_at_least
from dpspin_audits.statistics.given import GivenScore
from dpspin_audits.statistics.guessing import Point, choose_among, guess
from dpspin_audits.subject import Record, Records
from dpspin_experiments.baselines.budget import Budget
from dpspin_experiments.baselines.documents import CATEGORY_FIELDS
from dpspin_experiments.baselines.subjects import Baseline, BaselineSubject, noise_size
from dpspin_experiments.baselines.urania import Urania
from dpspin_experiments.baselines.vocabulary import Vocabulary

EFFORT = Effort(pilot=0, training=8000, testing=20_000)
MOST_PROBES = 40
ALWAYS = 20
"""A count of so many noise scales is always among the highest."""
TESTS = 4
"""Tests on a pair: learned from what is released, stated law or exact score, low-order bits, curve."""
STEPS = 6


class Shown(NamedTuple):
    """What an audit of a baseline showed."""

    name: str
    epsilon: float
    """Claimed."""
    epsilon_at_least: float
    """The largest lower bound of all its tests."""
    alpha: float
    """Probability that any of the tests accuses a baseline that keeps its claim, at most."""
    runs: int
    refuted: bool
    """The claim was."""
    law_refuted: bool
    """What the stated noise promises beyond the claim was."""

    @property
    def accused(self) -> bool:
        """Whether anything that the method says of itself was refuted."""
        return self.refuted or self.law_refuted


def pair(found: BaselineSubject, without: Records, with_: Records) -> Pair:
    """An adjacent pair of corpora with its exact counts; at most MOST_PROBES of the numbers that differ are looked at.

    Raises:
        UsageError: when the corpora do not differ in exactly one unit.
    """
    if difference(without, with_, found.deployment) != ADJACENT[found.claim.adjacency]:
        raise UsageError("pair of corpora", "not adjacent", "let them differ in one unit")
    before, after = (found.baseline.counts(found.documents(side)) for side in (without, with_))
    changed = [at for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    return Pair(
        found.baseline.name, tuple(without), tuple(with_), tuple(changed[-MOST_PROBES:]),
        tuple(map(float, before)), tuple(map(float, after)),
    )  # fmt: skip


def instance(baseline: Baseline) -> Baseline:
    """What is judged in place of a baseline: the same code with so few cells that its loss is not spread thin."""
    if not isinstance(baseline, Urania):
        return baseline
    few = Vocabulary("keyword", baseline.vocabulary.entries[:4], 1)
    return Urania(few, ((0,), (1,)), 1, baseline.threshold, name=baseline.name)


def extremal(found: BaselineSubject) -> Pair:
    """Two corpora that differ as far as one unit can move the counts, where all that it moves is released."""
    vocabulary = found.baseline.vocabulary
    entries, most = vocabulary.entries, vocabulary.most
    names = _names(found.deployment)
    new, old = (_unit(found.deployment, next(names), part) for part in (entries[:most], entries[most : 2 * most]))
    single = len(found.baseline.stages) == 1
    heavy = ceil(ALWAYS * noise_size(found)) if single else 1
    base = [_unit(found.deployment, name, entries[:most]) for name in islice(names, heavy)]
    if found.claim.adjacency == "add_drop":
        return pair(found, base, [*base, new])
    base += [_unit(found.deployment, name, entries[most : 2 * most]) for name in islice(names, heavy)]
    return pair(found, [*base, old], [*base, new])


def shown(found: BaselineSubject, pairs: Sequence[Pair], seed: bytes, alpha: float, effort: Effort = EFFORT) -> Shown:
    """Judge a baseline on adjacent pairs; all tests share alpha."""
    each = alpha / (TESTS * len(pairs))
    judged = [
        judge(
            Family(one.name, (one,)),
            found,
            Terms(found.claim, noise_size(found), each, seed, effort, promised(found), _score(found, one)),
        )
        for one in pairs
    ]
    bounds = [bound for one in judged for bound in (*one.ideal, *one.bits)]
    laws = [bound.refutes for one in judged for bound in one.law]
    return Shown(
        found.baseline.name,
        float(found.claim.epsilon),
        max(bound.epsilon_at_least for bound in bounds),
        alpha,
        sum(one.runs for one in judged),
        any(bound.refutes for bound in bounds),
        any(laws) or any(_breaks_curve(found, one, Terms(found.claim, 1.0, each, seed, effort)) for one in pairs),
    )


def plan_shown(setting: Setting, name: str, seed: bytes, alpha: float, effort: Effort = EFFORT) -> Shown:
    """Judge the plan of the reference by the same tests, on the first pair of an audit: many units, one atom."""
    found = ReferenceSubject(setting)
    claim = found.claim
    family = next(iter(families(Maker(setting, search(setting)))))
    terms = Terms(claim, float(claim.scale or 1), alpha / TESTS, seed, effort)
    judged = judge(Family(family.name, family.candidates[:1]), found, terms)
    bounds = [*judged.ideal, *judged.bits]
    return Shown(
        name, float(claim.epsilon), max(bound.epsilon_at_least for bound in bounds), alpha, judged.runs,
        any(bound.refutes for bound in bounds), any(bound.refutes for bound in judged.law),
    )  # fmt: skip


def promised(found: BaselineSubject) -> list[Point]:
    """Points of the curve of claimed Gaussian noise, evenly to one standard deviation of the loss beyond its mean."""
    claim = found.claim
    if claim.delta == 0:
        return []
    ratio = Budget(claim.epsilon, claim.delta, claim.adjacency).ratio(found.baseline.stages)
    furthest = float(ratio) / 2 + float(ratio) ** 0.5
    losses = [Fraction(step * furthest / STEPS).limit_denominator(10**6) for step in range(STEPS + 1)]
    return [point(loss, tight_delta(loss, ratio)) for loss in losses]


def _breaks_curve(found: BaselineSubject, judged: Pair, terms: Terms) -> bool:
    """Whether Gaussian stages that depend on each other lose more than their curve, by the exact score.

    `judge` tries the curve of a claim that names one law; this is the same test for several.
    """
    points, score = promised(found), _score(found, judged)
    if not points or score is None:
        return False
    training, testing = (
        [score(draws.atoms, draws.masses) for draws in labelled(found, judged, runs, derive(terms.seed, name))]
        for name, runs in (("curve training", terms.effort.training), ("curve testing", terms.effort.testing))
    )
    rule = choose_among(training[0], training[1], points)
    return epsilon_at_least(guess(rule, testing[0], testing[1]), rule.delta, terms.alpha) > rule.point.epsilon


def _score(found: BaselineSubject, judged: Pair) -> GivenScore | None:
    """The exact log-likelihood ratio of a baseline whose stages depend on each other."""
    baseline = found.baseline
    if not isinstance(baseline, Urania):
        return None
    sides = [found.documents(side) for side in (judged.without, judged.with_)]

    def score(atoms: npt.NDArray[np.int64], masses: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        released = np.empty(masses.shape, np.int64)
        np.put_along_axis(released, atoms, np.rint(masses).astype(np.int64), axis=1)
        before, after = (baseline.likelihood(side, released, found.budget) for side in sides)
        return np.asarray(after - before)

    return score


def _names(deployment: Deployment) -> Iterator[str]:
    """Ids of units that are protected and selected."""
    halves, corpus = deployment.corpus.split, deployment.corpus
    for number in count():
        name = f"unit-{number}"
        unit = split.unit_of(CorpusRecord(name, None, name, {}), deployment.user) or ""
        auxiliary = split.belongs(halves.key, halves.auxiliary_share, unit)
        if not auxiliary and split.belongs(corpus.selection_key, corpus.sampling_rate, unit):
            yield name


def _unit(deployment: Deployment, name: str, entries: Sequence[str]) -> Record:
    """One record that says these entries, as words and, the first of them, as its category."""
    fields = {
        deployment.corpus.id_field: name,
        deployment.corpus.text_field: " ".join(entries),
        CATEGORY_FIELDS[0]: entries[0] if entries else "",
    }
    return fields if deployment.user is None else fields | {deployment.user.id_field: name}
