import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin import kernel
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import embedded, representation, synthetic
from dpspin.corpus.representation import Weights
from dpspin_experiments.assignment import batch
from dpspin_experiments.assignment.batch import Assigner, by_unit, contributions, sketch

WEIGHTS = representation.decode(embedded.files()["weights.json"], "weights.json")
TEXTS = [tree["text"] for tree in synthetic.records(400)]
ODD = [None, "", "  ", "a b c", "FEES fees Fees", "ﬁ Straße \u0130", "fees " * 200, "\udc80 fees", "1234", "x" * 5000]

rows = st.lists(st.lists(st.integers(-5, 40), min_size=4, max_size=4), min_size=1, max_size=6)
large = st.lists(st.lists(st.integers(0, 2**50), min_size=3, max_size=3), min_size=1, max_size=4)


def by_kernel(scores, max_atoms):
    return [kernel.contribution(row, max_atoms, MASS_UNIT) for row in scores]


@pytest.mark.parametrize("max_atoms", [1, 3, 60, 100])
def test_scores_and_contributions_are_the_kernels(max_atoms):
    texts = [*ODD, *TEXTS]
    assigner = Assigner(WEIGHTS, max_atoms)
    scores = [WEIGHTS.scores(text) for text in texts]
    assert assigner.scores(texts).tolist() == scores
    assert assigner.shares(texts).toarray().tolist() == by_kernel(scores, max_atoms)


@pytest.mark.parametrize("size", [1, 2, 7, 19, 4096])
def test_the_size_of_a_batch_changes_nothing(size, monkeypatch):
    whole = Assigner(WEIGHTS, 3).shares(TEXTS).toarray()
    monkeypatch.setattr(batch, "ROWS_AT_ONCE", size)
    assert (Assigner(WEIGHTS, 3).shares(iter(TEXTS)).toarray() == whole).all()


@given(rows, st.integers(1, 5))
def test_contributions_with_ties_and_negative_scores(scores, max_atoms):
    assert contributions(np.array(scores, np.int64), max_atoms).toarray().tolist() == by_kernel(scores, max_atoms)


@given(large, st.integers(1, 3))
def test_contributions_beyond_64_bits(scores, max_atoms):
    assert contributions(np.array(scores, np.int64), max_atoms).toarray().tolist() == by_kernel(scores, max_atoms)


@given(large, st.sampled_from([1, 2**20, 2**20 + 1, 2**30]))
def test_sketches_are_the_kernels(units, bound):
    assert sketch(batch.sparse.csr_array(np.array(units, np.int64)), bound) == kernel.sketch(units, bound, 3)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.lists(st.integers(0, 9), min_size=3, max_size=3)), min_size=1))
def test_users_are_those_of_the_kernel(records):
    names, vectors = zip(*records, strict=True)
    shares = batch.sparse.csr_array(np.array(vectors, np.int64))
    owned = [(ord(name), list(vector)) for name, vector in records]
    assert sketch(by_unit(shares, names), 7) == kernel.user_sketch(owned, 7, 3)


def test_weights_too_large_for_64_bits_go_through_the_kernel():
    weights = Weights("label", 2, {"fees": ((0, 2**60), (1, 1))})
    scores = weights.scores("fees")
    assert max(scores) * MASS_UNIT > 2**63
    assert Assigner(weights, 2).shares(["fees", "", "other"]).toarray().tolist() == by_kernel(
        [scores, [0, 0], [0, 0]], 2
    )


def test_nothing_at_all():
    assert Assigner(WEIGHTS, 3).shares([]).shape == (0, 60)
    assert sketch(Assigner(WEIGHTS, 3).shares([]), MASS_UNIT) == [0] * 60
    assert Assigner(Weights("label", 2, {}), 3).shares(["fees"]).toarray().tolist() == [[0, 0]]
