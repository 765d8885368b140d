"""Every score looks at what it may look at; one from outside is tried like the others."""

from dataclasses import replace

import numpy as np
import pytest

from dpspin.errors import UsageError
from dpspin_audits.distribution.judgement import judge
from dpspin_audits.distribution.terms import Terms
from dpspin_audits.distribution.trials import labelled, labels
from dpspin_audits.distribution.ways import Phase
from dpspin_audits.pairs.families import families
from dpspin_audits.statistics import features
from dpspin_audits.zoo.noise_halved import NoiseHalved


@pytest.fixture
def terms(reference, few):
    return Terms(reference.claim, 1.0, 5e-5, b"seed", few)


def test_scores_come_with_the_coins_of_their_runs(reference, maker, terms):
    pair = families(maker)[0].candidates[0]
    sides = labelled(reference, pair, 500, b"1")
    phase = Phase(sides, labels(sides, b"1"), pair, terms)
    scored = phase.scored(phase.given(lambda _, masses: masses[:, 0]))
    assert (len(scored.without), len(scored.with_)) == (len(sides.without.atoms), len(sides.with_.atoms))
    assert scored.labels.sum() == len(scored.with_)
    assert phase.rounded is phase.rounded
    assert not np.array_equal(phase.rounded[0].mass, phase.exact[0].mass)


def highest(atoms, masses):
    """A score that somebody might write: the largest mass, with the wrong sign."""
    return -masses[:, 0] + 0 * atoms[:, 0]


def test_a_given_score_finds_faults_and_accuses_nobody(setting, reference, maker, terms):
    family, terms = families(maker)[0], replace(terms, score=highest)
    faulty, honest = (judge(family, subject, terms).ideal for subject in (NoiseHalved(setting), reference))
    assert [test.score for test in faulty] == ["given score", "learned from plans", "stated law"]
    assert [test.refutes for test in (faulty[0], honest[0])] == [True, False]


def test_a_given_score_that_breaks_is_the_callers_mistake(reference, maker, terms):
    with pytest.raises(UsageError, match="the given score"):
        judge(families(maker)[0], reference, replace(terms, score=lambda atoms, masses: masses))


def test_runs_are_looked_at_in_parts_with_the_same_result(setting, reference, maker, terms, monkeypatch):
    family = families(maker)[1]
    whole = judge(family, reference, terms)
    monkeypatch.setattr(features, "ROWS", 333)
    assert judge(family, reference, terms) == whole
