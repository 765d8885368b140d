"""Private baselines under audit: those that keep their claim are not accused, planted faults are found.

Every audit here has a false-alarm rate of at most 1e-6.
"""

from dataclasses import replace

import pytest

from dpspin.curator.release import release
from dpspin.errors import UsageError
from dpspin.settings import Exact
from dpspin_audits.distribution.trials import Effort
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_experiments.baselines import evidence, subjects
from dpspin_experiments.baselines.comparison import private

ALPHA = 1e-6
NAMES = ["DP keyword histogram", "DP category histogram", "URANIA-style"]


def subject_of(setting, name):
    baseline = next(each for each in private(setting) if each.name == name)
    return subjects.subject(evidence.instance(baseline), setting.deployment)


def shown(found, effort=evidence.EFFORT):
    return evidence.shown(found, [evidence.extremal(found)], b"baselines", ALPHA, effort)


def half_noise(found):
    return replace(found, budget=found.budget._replace(epsilon=2 * found.budget.epsilon))


@pytest.mark.parametrize("name", NAMES)
def test_a_baseline_keeps_its_claim_and_loses_something(setting, name):
    found = shown(subject_of(setting, name))
    assert not found.refuted
    assert 0.4 < found.epsilon_at_least <= found.epsilon == 1


@pytest.mark.parametrize("name", NAMES)
def test_half_the_noise_is_found(setting, name):
    found = shown(half_noise(subject_of(setting, name)))
    assert found.refuted
    assert found.epsilon_at_least > 1


@pytest.mark.parametrize("name", NAMES)
def test_half_the_noise_is_found_by_the_curve_of_gaussian_noise(replaced, name):
    honest = subject_of(replaced, name)
    assert not shown(honest).law_refuted
    assert shown(half_noise(honest)).law_refuted


def test_noise_for_add_and_drop_is_found_under_replacement(setting):
    relation = setting.deployment.model_copy(update={"adjacency": "replacement"})
    baseline = private(setting)[1]
    honest = subjects.subject(baseline, relation)
    effort = Effort(pilot=0, training=20_000, testing=60_000)
    assert not shown(honest, effort).refuted
    forgotten = replace(honest, budget=honest.budget._replace(adjacency="add_drop"))
    assert shown(forgotten, effort).refuted


def test_a_clustering_that_is_not_paid_for_is_found(setting):
    """Only the rounds of clustering have too little noise; sizes and keywords have what they should."""
    honest = subject_of(setting, "URANIA-style")

    class Unpaid(type(honest.budget)):
        def scale(self, stage):
            return super().scale(stage) / (8 if stage.name.startswith("centres") else 1)

    assert shown(replace(honest, budget=Unpaid(*honest.budget))).refuted


def test_the_plan_keeps_its_claim_by_the_same_tests_and_half_its_noise_is_found(setting, monkeypatch):
    honest = evidence.plan_shown(setting, "plan", b"plan", ALPHA)
    assert not honest.refuted
    assert not honest.law_refuted
    assert 0.4 < honest.epsilon_at_least <= honest.epsilon == 1

    class HalfNoise(ReferenceSubject):
        def noisy(self, exact, bits, runs):
            loss = self.setting.deployment.mechanism.model_copy(update={"epsilon": Exact("2")})
            deployment = self.setting.deployment.model_copy(update={"mechanism": loss})
            return release(exact, deployment, bits, runs, rigorous=False)

    monkeypatch.setattr(evidence, "ReferenceSubject", HalfNoise)
    assert evidence.plan_shown(setting, "plan", b"plan", ALPHA).refuted


def test_corpora_that_are_not_adjacent_are_refused(setting):
    found = subject_of(setting, NAMES[0])
    made = evidence.extremal(found)
    with pytest.raises(UsageError, match="not adjacent"):
        evidence.pair(found, made.without, [*made.with_, {**made.with_[0], "id": "one more"}])


def test_users_are_judged_as_users_are(of_users):
    found = subject_of(of_users, NAMES[1])
    made = evidence.extremal(found)
    assert len(made.with_) == len(made.without) + (of_users.deployment.adjacency == "add_drop")
    assert max(abs(new - old) for old, new in zip(made.before, made.after, strict=True)) == 1
