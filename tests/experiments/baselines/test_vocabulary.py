"""Public vocabularies, and that one unit never counts for more than its share."""

import numpy as np

from dpspin.universe import Universe
from dpspin_experiments.baselines.documents import Document
from dpspin_experiments.baselines.vocabulary import Vocabulary, categories, keywords

UNIVERSE = Universe(("Credit card / Late fee", "Credit card / With refund", "Loan / Refund denied"), (None,) * 3)


def test_entries_come_from_the_labels_alone():
    assert keywords(UNIVERSE).entries == ("credit", "card", "late", "refund", "loan", "denied")
    assert categories(UNIVERSE).entries == ("Credit card", "Loan")


def test_a_unit_counts_for_the_entries_it_names_most_and_for_no_more():
    words = Vocabulary("keyword", ("a1", "late", "refund", "loan"), 2)
    assert words.chosen(Document(("loan refund", "loan late late"), ())) == [1, 3]
    assert words.chosen(Document(("loan refund late",), ())) == [1, 2]
    assert words.chosen(Document(("nothing here",), ())) == []
    assert Vocabulary("category", ("Loan", "Card"), 1).chosen(Document((), ("Card", "Loan", "Card"))) == [1]


def test_rows_are_local_and_bounded():
    words = keywords(UNIVERSE, most=2)
    units = [Document((text,), ()) for text in ("credit card late refund", "loan", "", "denied denied loan")]
    rows = words.rows(units)
    assert rows.sum(axis=1).tolist() == [2, 1, 0, 2]
    assert all(np.array_equal(words.rows([unit])[0], row) for unit, row in zip(units, rows, strict=True))
