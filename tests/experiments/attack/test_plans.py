"""The attack on a plan: exact contributions, and a score that is the logarithm of a ratio of two densities."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import embedded
from dpspin.corpus.jsonl import Record
from dpspin.curator.intake import exact_sketch
from dpspin.deployment import load
from dpspin.errors import UsageError
from dpspin.settings import Exact
from dpspin_experiments.attack import plans, story


def test_contributions_are_the_references(setting, prepared):
    texts = story.others()[:40]
    share = setting.deployment.corpus.split.model_copy(update={"auxiliary_share": Fraction(0)})
    everyone = setting.deployment.model_copy(
        update={"corpus": setting.deployment.corpus.model_copy(update={"split": share})}
    )
    corpus = [Record(str(at), text, None, {}) for at, text in enumerate(texts)]
    exact = exact_sketch(corpus, everyone, setting.weights, Counter())
    assert prepared.others[:40].sum(axis=0).tolist() == exact
    assert (prepared.target.sum(axis=1) <= MASS_UNIT).all()


def test_the_noise_is_that_of_replacement(prepared):
    assert prepared.law.scale == 2
    assert prepared.deployment.adjacency == "replacement"


def test_scores_are_bounded_by_the_loss_and_speak_for_the_truth(prepared):
    people, secrets = np.arange(300), np.arange(4000) % 2 == 1
    scores = plans.scores(prepared, people, 50, secrets, b"plans")
    # a score is a sum over atoms of at most |d_j| / b
    gap = np.abs(prepared.target[1] - prepared.target[0]).sum() / MASS_UNIT / prepared.law.scale
    assert np.abs(scores).max() <= gap + 1e-9
    assert gap <= 1
    # the means differ by 0.24 with deviations of 0.51: six standard errors of 2,000 runs each are 0.1
    assert scores[secrets].mean() - scores[~secrets].mean() > 0.1
    assert np.array_equal(scores, plans.scores(prepared, people, 50, secrets, b"plans"))


def test_one_side_may_be_empty(prepared):
    assert plans.scores(prepared, np.arange(5), 0, np.array([True]), b"one").shape == (1,)


def test_another_mechanism_is_refused(setting):
    files = embedded.files()
    other = load(files["gaussian-replacement.yaml"], "gaussian-replacement.yaml")
    with pytest.raises(UsageError, match="laplace"):
        plans.replacement(type(setting)(*(
            other if name == "deployment" else getattr(setting, name) for name in setting.__slots__
        )), Exact("1"))  # fmt: skip
