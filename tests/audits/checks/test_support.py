"""Outputs of one corpus alone are found; rare outputs of both are not taken for them."""

import secrets
from dataclasses import replace
from fractions import Fraction
from math import ceil, comb, exp, log

import numpy as np
import pytest

from dpspin import canonical
from dpspin.errors import SubjectError
from dpspin_audits.checks import support
from dpspin_audits.reference_subject import Plans, ReferenceSubject
from dpspin_audits.running.outcomes import Outcome
from dpspin_audits.statistics import bounds
from dpspin_audits.statistics.bounds import Guesses

ALPHA = 1e-6


def chance(percent):
    return secrets.randbelow(100) < percent


class Writes:
    """A subject whose bundle follows from its records and chance."""

    def __init__(self, reference, write, **claim):
        self.claim, self._write = replace(reference.claim, **claim), write

    def fresh(self):
        return self

    def release(self, records):
        return self._write(records)


class Samples(Writes):
    """Atoms of plans with one atom; the twelfth only ever for one corpus, once in a hundred runs."""

    def sample(self, records, runs):
        here = np.random.default_rng().random(runs) < 0.01
        return Plans(np.where(here & (len(records) % 30 == 1), 11, 0)[:, None], np.zeros((runs, 1)))


def plan(*atoms, **fields):
    rows = [{"index": atom, "noisy_mass": str(secrets.randbelow(1000))} for atom in atoms]
    return {"plan.json": canonical.dumps({"released": rows, **fields})}


def check(subject, maker, alpha=ALPHA):
    return support.check(subject, subject.claim, maker, b"seed", alpha)


ALONE = {
    "an atom": lambda rows: plan(0, *[1] * bool(len(rows) % 30)),
    "an atom now and then": lambda rows: plan(0, *[1] * (bool(len(rows) % 30) and chance(50))),
    "a field": lambda rows: plan(0, **{"extra": 1} if len(rows) % 30 else {}),
    "a file": lambda rows: plan(0) | ({"log.txt": b"x"} if len(rows) % 30 else {}),
    "the absence of a file": lambda rows: plan(0) | ({} if len(rows) % 30 else {"log.txt": b"x"}),
    "a line": lambda rows: plan(0) | {"log.jsonl": b"{}\n" * (1 + bool(len(rows) % 30))},
    "an exception": lambda rows: plan(0) if len(rows) % 30 == 0 else (_ for _ in ()).throw(ValueError),
}


@pytest.mark.parametrize("name", ALONE)
def test_what_one_corpus_alone_gives_is_found(reference, maker, name):
    """The corpora hold no unit, or thirty of them, and one more."""
    found = check(Writes(reference, ALONE[name]), maker)
    assert (found.status, found.strength) == ("fail", "statistical")
    assert float(found.figures["epsilon_at_least"]) > 1


SETTLED = 60
"""Records of the one ordinary release that has to succeed; the corpora that are compared have at most 31."""
BOTH = {
    "nothing": lambda rows: plan(0),
    "rare atoms": lambda rows: plan(*range(1, 12)[: secrets.randbelow(12)]),
    "a field three times as often": lambda rows: plan(0, **{"extra": 1} if chance(60 if rows else 20) else {}),
    "an exception now and then": lambda rows: plan(0) if len(rows) == SETTLED or chance(90) else int("no number"),
}


@pytest.mark.parametrize("name", BOTH)
def test_what_both_give_is_no_finding(reference, maker, name):
    assert check(Writes(reference, BOTH[name]), maker).status == "pass"


@pytest.mark.parametrize("terms", [{}, {"adjacency": "replacement"}, {"unit": "user"}, {"mechanism": "top_l"}])
def test_the_reference_passes(maker_of, terms):
    maker = maker_of(**terms)
    subject = ReferenceSubject(maker.setting)
    found = support.check(subject, subject.claim, maker, b"seed", ALPHA)
    assert (found.status, found.figures["pairs"]) == ("pass", 4)


def test_samples_show_rarer_events_than_releases(reference, maker):
    always = lambda rows: plan(0)  # noqa: E731
    assert check(Writes(reference, always), maker).status == "pass"
    found = check(Samples(reference, always), maker)
    assert (found.status, "'atom 11'" in found.reason) == ("fail", True)


class Ends(Samples):
    """Laplace noise on one atom, unless it lies further away than so many scales."""

    furthest = 4

    def sample(self, records, runs):
        noise = np.random.default_rng().laplace(size=2 * runs + 1000)
        kept = noise[np.abs(noise) <= self.furthest][:runs]
        return Plans(np.zeros((runs, 1), int), (kept + len(records))[:, None])


def test_noise_that_ends_is_found(reference, maker):
    """Beyond the end lie (e - 1) e^-4 / 2 of the masses, 150 of 10,000."""
    always = lambda rows: plan(0)  # noqa: E731
    found = check(Ends(reference, always), maker)
    assert (found.status, "masses with" in found.reason) == ("fail", True)
    assert float(found.figures["epsilon_at_least"]) > 1.5
    unbounded = type("Unbounded", (Ends,), {"furthest": 60})
    assert check(unbounded(reference, always), maker).status == "pass"


def test_a_claim_that_would_need_too_many_releases_is_inconclusive(reference, maker):
    found = check(Writes(reference, ALONE["a field"], epsilon=Fraction(8)), maker)
    assert found.status == "inconclusive"
    assert "more would be needed" in found.reason


def test_a_delta_is_granted(reference, maker):
    """A release may give everything away with probability delta."""
    leak = lambda rows: plan(0, **{"extra": 1} if rows and chance(20) else {})  # noqa: E731
    assert check(Writes(reference, leak, delta=Fraction(1, 2)), maker).status != "fail"
    assert check(Writes(reference, ALONE["a field"], delta=Fraction(1, 10)), maker).status == "fail"


def test_a_subject_that_gives_no_bundle_at_all_broke_off(reference, maker):
    with pytest.raises(SubjectError):
        check(Writes(reference, lambda rows: None), maker)


@pytest.mark.parametrize("epsilon", [1, 3, 8])
def test_an_event_that_one_corpus_always_shows_needs_the_stated_number_of_runs(epsilon):
    """ln(1 / a) / ln(1 + e^-eps): 10 at epsilon 1 and 8,932 at epsilon 8, a = .05."""
    needed = ceil(log(1 / 0.05) / log(1 + exp(-epsilon)))
    assert needed == {1: 10, 3: 62, 8: 8932}[epsilon]
    assert bounds.epsilon_at_least(Guesses(2 * needed, needed, needed), 0.0, 0.05) >= epsilon
    assert bounds.epsilon_at_least(Guesses(2 * needed, needed - 1, needed - 1), 0.0, 0.05) < epsilon


EACH = 0.001 / 30 / 16 / 5
"""The level of an event in an audit of the smallest deployment: thirty tests, five pairs of sixteen events."""


def fewer(hits, runs):
    """P(Bin(runs, 1/4) < hits), as a fraction."""
    return Fraction(sum(comb(runs, k) * 3 ** (runs - k) for k in range(hits)), 4**runs)


@pytest.mark.parametrize(("alpha", "hits", "runs"), [(EACH, 47, 373), (1e-8, 59, 438), (1e-3, 23, 235)])
def test_an_event_of_half_of_the_releases_is_missed_once_in_a_million(reference, alpha, hits, runs):
    claim = replace(reference.claim, epsilon=Fraction(1))
    assert support.needed(claim, alpha) == runs < support.MOST_RUNS
    assert bounds.epsilon_at_least(Guesses(runs, hits, hits), 0.0, alpha) > 1
    assert bounds.epsilon_at_least(Guesses(runs, hits - 1, hits - 1), 0.0, alpha) <= 1
    assert fewer(hits, runs) <= Fraction(1, 10**9) < fewer(hits, runs - 1)
    unseen = Fraction(1 + support.SCOUTS, 2**support.SCOUTS)
    assert support.FEWEST == 2
    assert unseen + fewer(hits, runs) <= Fraction(1, 10**6)


def test_releases_for_a_large_epsilon_are_as_many_as_may_be(reference):
    assert support.needed(replace(reference.claim, epsilon=Fraction(8)), EACH) == support.MOST_RUNS


def test_a_delta_needs_a_few_more_releases(reference):
    without, with_ = (support.needed(replace(reference.claim, delta=Fraction(delta)), EACH) for delta in ("0", "1e-3"))
    assert without < with_ < support.MOST_RUNS


def test_features_are_structure_and_no_values():
    one, two = (support.features(Outcome(plan(3, 5, bin=value))) for value in ("low", "high"))
    assert one == two
    assert {"atom 3", "atom 5", "plan.json: released.length = 2", "plan.json: bin"} <= one
    assert support.features(Outcome(None, "ValueError")) == {"no bundle, ValueError"}
    assert support.features(Outcome({"a.txt": b"some words"})) == {"a.txt"}
