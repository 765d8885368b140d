"""Likeness to the reference: its own text is like itself, notices count for nothing."""

from dataclasses import replace

import pytest

from dpspin_experiments.baselines.methods import PLAN
from dpspin_experiments.judging.evaluation import reference_of
from dpspin_experiments.judging.likeness import MEASURES, likeness
from dpspin_experiments.lexical import rarity

WEIGHTS = rarity(["a public text about fees"])


def test_a_plan_is_more_like_the_reference_than_any_other_method(items):
    found = {row.method: row.measures for row in likeness(items, reference_of(items), WEIGHTS)}
    assert reference_of(items).method not in found
    assert len(found) == len({item.method for item in items}) - 1
    others = [measures["tfidf"].mean for method, measures in found.items() if method != PLAN]
    assert found[PLAN]["tfidf"].mean > 0.8 > max(others)
    assert (found[PLAN]["token"].number, found[PLAN]["token"].sd is None) == (2, False)


def test_the_same_words_under_another_notice_are_the_same(items):
    reference, plan = reference_of(items), next(item for item in items if item.method == PLAN)
    words = reference.exhibit.text.removeprefix(reference.exhibit.tree()["stamp"])
    alike = plan._replace(exhibit=replace(plan.exhibit, text=plan.exhibit.tree()["stamp"] + words))
    [row] = likeness([alike], reference, WEIGHTS)
    assert {name: stat.mean for name, stat in row.measures.items()} == pytest.approx(dict.fromkeys(MEASURES, 1.0))
