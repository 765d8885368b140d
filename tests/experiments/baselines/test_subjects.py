"""Baselines as subjects: what they release, what they claim, and which draws a seed decides."""

from fractions import Fraction

import pytest

from dpspin.corpus import synthetic
from dpspin_audits.bundle import released_masses
from dpspin_audits.subject import Batched, BlackBox, Reproducible
from dpspin_experiments.baselines import subjects
from dpspin_experiments.baselines.histogram import Histogram
from dpspin_experiments.baselines.urania import Urania
from dpspin_experiments.baselines.vocabulary import categories, keywords

RECORDS = list(synthetic.records(300))


@pytest.fixture
def histogram(setting):
    return subjects.subject(Histogram(categories(setting.universe), 4), setting.deployment)


def test_a_baseline_is_a_subject(histogram):
    assert isinstance(histogram, BlackBox)
    assert isinstance(histogram, Batched)
    assert isinstance(histogram.reproducible(b"s"), Reproducible)


def test_a_release_holds_the_noisy_counts_and_a_text_of_them(histogram):
    bundle = histogram.release(RECORDS)
    masses = released_masses(bundle)
    exact = histogram.baseline.counts(histogram.documents(RECORDS))
    assert len(masses) == 4
    # Laplace noise of scale 1 is beyond 40 with probability 1e-17
    assert all(abs(mass - exact[atom]) <= 40 for atom, mass in masses.items())
    assert bundle["summary.txt"].decode() == histogram.baseline.text({at: int(mass) for at, mass in masses.items()})


def test_a_seed_decides_samples_and_no_release(histogram):
    one, two, other = (histogram.reproducible(seed).sample(RECORDS, 30).masses.tolist() for seed in (b"1", b"1", b"2"))
    assert one == two != other
    seeded = histogram.reproducible(b"1")
    releases = {seeded.release(RECORDS)["plan.json"] for _ in range(12)}
    assert len(releases) > 1  # twelve equal releases have probability below 1e-12
    assert seeded.fresh().seed is None


def test_the_claim_is_the_deployments_and_its_law_is_known_for_one_stage(setting, replaced, histogram):
    assert (histogram.claim.mechanism, histogram.claim.scale, histogram.claim.epsilon) == ("laplace", 1, 1)
    words = keywords(replaced.universe)
    normal = subjects.subject(Histogram(words, 10), replaced.deployment)
    assert normal.claim.mechanism == "gaussian"
    assert normal.claim.adjacency == "replacement"
    staged = subjects.subject(Urania(words, ((0,), (1,)), 1, 5), setting.deployment)
    assert staged.claim.mechanism is None
    assert subjects.noise_size(staged) == 10


def test_what_is_spent_is_what_is_claimed(histogram, replaced):
    assert subjects.spent(histogram) == (1, 0)
    epsilon, delta = subjects.spent(subjects.subject(Histogram(keywords(replaced.universe), 9), replaced.deployment))
    assert epsilon == Fraction(replaced.deployment.mechanism.epsilon)
    assert 0 < delta <= Fraction(replaced.deployment.mechanism.delta)
