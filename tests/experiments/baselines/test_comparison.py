"""Every baseline on the same records: which have a cost, and that none costs more than the plan."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from dpspin.curator.noise import SeededBits
from dpspin.errors import UsageError
from dpspin.settings import Exact
from dpspin.universe import Universe
from dpspin_experiments.baselines import comparison
from dpspin_experiments.baselines.budget import budget_of
from dpspin_experiments.baselines.documents import documents
from dpspin_experiments.baselines.methods import CATEGORIES, EXTRACTIVE, KEYWORDS, METHODS, PLAN, URANIA, WITHOUT_NOISE
from dpspin_experiments.baselines.urania import urania


def test_references_cost_nothing_that_could_be_stated_and_baselines_what_the_plan_does(setting, corpus, monkeypatch):
    monkeypatch.setattr(comparison, "urania", lambda atoms, size: _few(atoms))
    found = {each.name: each for each in comparison.outputs(setting, corpus, SeededBits(b"c"))}
    assert list(found) == list(METHODS)
    assert [name for name, each in found.items() if each.cost is None] == list(METHODS)[:5]
    plan, *private = [each for each in found.values() if each.cost is not None]
    assert (plan.name, plan.cost) == ("DP-SPIN plan", (1, 0))
    assert plan.accounting[0]["scale"] == "1"
    assert all(each.cost == (Exact("1"), 0) and each.accounting for each in private)
    assert all(each.utility is not None for each in (plan, *private))
    assert all(each.text.endswith(("\n", ".")) for each in found.values())


def test_what_a_writer_is_given_has_all_that_its_summary_says(setting, corpus):
    found = {each.name: each for each in comparison.outputs(setting, corpus, SeededBits(b"c"))}
    for each in found.values():
        assert json.loads(json.dumps(each.seen)) == each.seen
    for name in (KEYWORDS, CATEGORIES):
        for entry in found[name].seen["entries"]:
            assert f"{entry['label']} (about {entry['noisy_count']:,})" in found[name].text
    for group in found[URANIA].seen["groups"]:
        assert f"about {group['noisy_size']:,}: {', '.join(group['keywords'])}." in found[URANIA].text
    for name in (PLAN, WITHOUT_NOISE):
        assert all(entry["label"] in found[name].text for entry in found[name].seen["released"])
    assert any(found[EXTRACTIVE].text.split(". ")[0] in each["text"] for each in found[EXTRACTIVE].seen["units"])


def test_no_private_writer_is_given_a_protected_text(setting, corpus):
    """The fault: a baseline that hands one text on, which the same search must find."""
    texts = [each.text for each in documents(corpus, setting.deployment) if len(each.text) > 40]
    for each in comparison.private_of(comparison.prepared(setting, corpus), SeededBits(b"c")):
        given = json.dumps(each.seen)
        assert not any(json.dumps(text)[1:-1] in given for text in texts)
        leaky = json.dumps({**each.seen, "example": texts[0]})
        assert any(json.dumps(text)[1:-1] in leaky for text in texts)


def _few(atoms):
    return urania(type(atoms)(atoms.labels[:4], (None,) * 4), 2, threshold=20)


def test_as_many_entries_as_the_plan_has_atoms(setting):
    keyword, category, groups = comparison.private(setting)
    assert keyword.shown == category.shown == len(groups.first) == setting.deployment.plan.size


def test_released_entries_are_compared_with_the_methods_own_exact_ones(setting, corpus, monkeypatch):
    words = comparison.private(setting)[0]
    monkeypatch.setattr(comparison, "budget_of", lambda deployment: budget)
    found = comparison.prepared(setting, corpus)
    budget = budget_of(setting.deployment)._replace(epsilon=Fraction(1000))
    sharp = comparison._output(words, found, SeededBits(b"c"))
    budget = budget._replace(epsilon=Fraction(1, 1000))
    blurred = comparison._output(words, found, SeededBits(b"c"))
    assert sharp.utility == (1, 1, 0)
    # ten of more than a hundred entries by chance: eight or more below 1e-8
    assert blurred.utility.overlap < 0.8
    assert blurred.utility.loss > 0


def test_every_private_baseline_is_audited_at_a_part_of_the_level(setting):
    found = list(comparison.evidence_of(setting, b"c", 3e-6))
    assert [each.name for each in found] == list(METHODS)[5:]
    assert all(each.alpha == 3e-6 / 4 and not each.refuted and not each.law_refuted for each in found)


def test_a_universe_of_phrases_has_no_categories(setting):
    phrases = Universe(("dry skin", "long wait"), (None, None))
    found = comparison.private(replace(setting, universe=phrases))
    assert [each.name for each in found] == [KEYWORDS, URANIA]


def test_a_seed_is_refused_on_real_records(setting, corpus):
    real = setting.deployment.model_copy(
        update={"corpus": setting.deployment.corpus.model_copy(update={"synthetic": False})}
    )
    outputs = comparison.outputs(setting.__class__(*_fields(setting, real)), corpus, SeededBits(b"c"))
    with pytest.raises(UsageError, match="synthetic is false"):
        next(outputs)


def _fields(setting, deployment):
    return [deployment if name == "deployment" else getattr(setting, name) for name in setting.__slots__]
