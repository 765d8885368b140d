import numpy as np
import pytest

from dpspin.errors import UsageError
from dpspin_experiments.assignment import embedding
from dpspin_experiments.assignment.embedding import assigned, fit, rule_of
from dpspin_experiments.assignment.fidelity import fidelity
from dpspin_experiments.assignment.rule import check_local
from dpspin_experiments.dataset import Entry
from dpspin_experiments.lexical import embedding_similarity

TEXTS = (
    "late fees on my loan", "the loan had fees", "a lender charged fees on the loan", "loan fees again",
    "lost card at the bank", "the bank blocked my card", "card was stolen, bank said no", "new card from the bank",
)  # fmt: skip
ENTRIES = [Entry(str(n), None, text, None, None) for n, text in enumerate(TEXTS)]


def test_texts_that_share_companions_are_near_even_without_a_word_in_common():
    space = fit(ENTRIES, 2)
    assert embedding_similarity("lender", "loan", space) > 0.9
    assert embedding_similarity("lender", "card", space) < 0.5
    assert embedding_similarity("loan", "loan", space) == pytest.approx(1)
    assert not space("zebra").any()
    assert np.array_equal(fit(ENTRIES, 2)("loan"), space("loan"))


def test_too_little_to_fit_on_is_refused():
    with pytest.raises(UsageError, match="too few"):
        fit(ENTRIES[:1])


def test_assignment_by_embedding_is_local_bounded_and_better_than_chance(bench):
    data = bench.data("record", 20, False)
    space = fit(data.halves.auxiliary)
    shares = assigned(space, data, 3)
    assert shares.shape == (len(data.halves.protected), 20)
    found = fidelity(shares, [entry.label for entry in data.halves.protected], data.universe.labels)
    assert found.top_one > 0.3  # by chance 0.05; hundreds of records


def test_a_space_fitted_on_protected_records_is_refused(bench):
    data = bench.data("record", 20, False)
    mixed = [*data.halves.auxiliary[:50], data.halves.protected[0]]
    with pytest.raises(UsageError, match="fitted on protected records"):
        assigned(fit(mixed), data, 3)


def test_an_embedding_that_is_fitted_to_each_batch_is_refused(bench):
    """The fault: the space is made anew of the texts that are to be scored."""
    data = bench.data("record", 20, False)

    def score(texts):
        entries = [Entry(str(n), None, text or "empty", None, None) for n, text in enumerate([*texts, *TEXTS])]
        return rule_of(fit(entries, 4), data.universe)(texts)

    texts = [entry.text for entry in data.halves.auxiliary[:6]]
    with pytest.raises(UsageError, match="depend on"):
        check_local(score, texts, 20)


def test_a_matrix_product_over_the_batch_is_what_the_rule_does_not_do(bench):
    data = bench.data("record", 20, False)
    rule = rule_of(fit(data.halves.auxiliary), data.universe)
    texts = [entry.text for entry in data.halves.auxiliary[:30]]
    assert rule(texts) == [rule([text])[0] for text in texts]
    assert max(map(max, rule(texts))) <= embedding.STEPS
