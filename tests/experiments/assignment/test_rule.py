from collections import Counter

import pytest

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT
from dpspin.errors import UsageError
from dpspin_experiments.assignment.rule import check_local, shares

TEXTS = ["fees and fees", "a payment", "a lost card and fees", "card card card", "payment of a payment"]
WORDS = ("fees", "payment", "card")


def counted(texts):
    return [[text.count(word) for word in WORDS] for text in texts]


class ByRarity:
    """Scores by a rarity that is fitted to the batch: what spec.md section 8 row 10 forbids."""

    def __call__(self, texts):
        found = Counter(word for text in texts for word in WORDS if word in text)
        return [[text.count(word) * (len(texts) - found[word] + 1) for word in WORDS] for text in texts]


class ByTurn:
    """Scores by how many texts came before."""

    def __init__(self):
        self.seen = 0

    def __call__(self, texts):
        self.seen += len(texts)
        return [[self.seen, 0, 0] for _ in texts]


def by_place(texts):
    return [[place, 0, 0] for place, _ in enumerate(texts)]


def deduplicating(texts):
    seen = Counter(texts)
    return [[int(seen[text] == 1), 0, 0] for text in texts]


def by_size(texts):
    return [[min(len(texts), 3), 0, 0] for _ in texts]


def in_pairs(texts):
    return [[int(len(texts) == 2), 0, 0] for _ in texts]


def in_fives(texts):
    return [[int(len(texts) == 5), 0, 0] for _ in texts]


def test_a_local_rule_passes_and_is_the_kernels():
    check_local(counted, TEXTS, 3)
    assert shares(counted, TEXTS, 3, 2).toarray().tolist() == [
        kernel.contribution(row, 2, MASS_UNIT) for row in counted(TEXTS)
    ]
    assert shares(counted, [], 3, 2).shape == (0, 3)


@pytest.mark.parametrize("rule", [ByRarity(), ByTurn(), by_place, deduplicating, by_size, in_pairs, in_fives])
def test_a_rule_that_is_not_local_is_refused(rule):
    with pytest.raises(UsageError, match="depend on"):
        check_local(rule, TEXTS, 3)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ([1, 2], "not one score"),
        ([1, 2, 3, 4], "not one score"),
        ([1, 2, 0.5], "no integer"),
        ([1, 2, True], "no integer"),
        ([1, 2, 2**40 + 1], "no integer up to"),
    ],
)
def test_scores_of_another_kind_are_refused(row, problem):
    for call in (lambda rule: check_local(rule, TEXTS, 3), lambda rule: shares(rule, TEXTS, 3, 2)):
        with pytest.raises(UsageError, match=problem):
            call(lambda texts: [row for _ in texts])


def test_a_text_without_scores_is_refused():
    with pytest.raises(UsageError, match="not one score"):
        check_local(lambda texts: [[1, 0, 0]] * (len(texts) - 1), TEXTS, 3)
