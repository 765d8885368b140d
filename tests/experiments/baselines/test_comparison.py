"""Every baseline on the same records: which have a cost, and that none costs more than the plan."""

from fractions import Fraction

import pytest

from dpspin.curator.noise import SeededBits
from dpspin.errors import UsageError
from dpspin.settings import Exact
from dpspin_experiments.baselines import comparison
from dpspin_experiments.baselines.budget import budget_of
from dpspin_experiments.baselines.documents import documents
from dpspin_experiments.baselines.urania import urania


def test_references_cost_nothing_that_could_be_stated_and_baselines_what_the_plan_does(setting, corpus, monkeypatch):
    monkeypatch.setattr(comparison, "urania", lambda atoms, size: _few(atoms))
    found = {each.name: each for each in comparison.outputs(setting, corpus, SeededBits(b"c"))}
    assert [name for name, each in found.items() if each.cost is None] == [
        "direct, extractive", "direct, template", "redacted by rules, extractive", "clustering",
        "plan verbalised without noise",
    ]  # fmt: skip
    plan, *private = [each for each in found.values() if each.cost is not None]
    assert (plan.name, plan.cost) == ("DP-SPIN plan", (1, 0))
    assert [each.name for each in private] == ["DP keyword histogram", "DP category histogram", "URANIA-style"]
    assert all(each.cost == (Exact("1"), 0) and each.accounting for each in private)
    assert [each.overlap is None for each in (plan, *private)] == [False, False, False, True]
    assert all(each.text.endswith(("\n", ".")) for each in found.values())


def _few(atoms):
    return urania(type(atoms)(atoms.labels[:4], (None,) * 4), 2, threshold=20)


def test_as_many_entries_as_the_plan_has_atoms(setting):
    keyword, category, groups = comparison.private(setting)
    assert keyword.shown == category.shown == len(groups.first) == setting.deployment.plan.size


def test_released_entries_are_compared_with_the_methods_own_exact_ones(setting, corpus):
    units, budget = documents(corpus, setting.deployment), budget_of(setting.deployment)
    words = comparison.private(setting)[0]
    sharp = comparison._output(words, units, budget._replace(epsilon=Fraction(1000)), SeededBits(b"c"))
    blurred = comparison._output(words, units, budget._replace(epsilon=Fraction(1, 1000)), SeededBits(b"c"))
    assert sharp.overlap == 1
    assert blurred.overlap < 0.8  # ten of more than a hundred entries by chance: eight or more below 1e-8


def test_every_private_baseline_is_audited_at_a_part_of_the_level(setting):
    found = list(comparison.evidence_of(setting, b"c", 3e-6))
    assert [each.name for each in found] == ["DP keyword histogram", "DP category histogram", "URANIA-style"]
    assert all(each.alpha == 1e-6 and not each.refuted for each in found)


def test_a_seed_is_refused_on_real_records(setting, corpus):
    real = setting.deployment.model_copy(
        update={"corpus": setting.deployment.corpus.model_copy(update={"synthetic": False})}
    )
    outputs = comparison.outputs(setting.__class__(*_fields(setting, real)), corpus, SeededBits(b"c"))
    with pytest.raises(UsageError, match="synthetic is false"):
        next(outputs)


def _fields(setting, deployment):
    return [deployment if name == "deployment" else getattr(setting, name) for name in setting.__slots__]
