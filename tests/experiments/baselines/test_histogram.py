"""Histograms: exact counts by hand, and a release with next to no noise."""

from fractions import Fraction

from dpspin.adjacency import MASS_UNIT
from dpspin.curator.noise import SeededBits
from dpspin_experiments.baselines.budget import Budget
from dpspin_experiments.baselines.documents import Document
from dpspin_experiments.baselines.histogram import Histogram
from dpspin_experiments.baselines.vocabulary import Vocabulary

WORDS = Vocabulary("keyword", ("card", "loan", "fees", "late"), 2)
UNITS = [Document((text,), ()) for text in ("loan fees", "loan late", "loan", "card loan", "fees")]
EXACT = Budget(Fraction(1000), Fraction(0), "add_drop")  # a draw differs from 0 with probability below 1e-200


def test_counts_are_those_of_the_units():
    assert Histogram(WORDS, 3).counts(UNITS) == [1, 4, 2, 1]


def test_the_highest_are_released_in_order_and_the_earlier_of_equals_first():
    found = Histogram(WORDS, 3).sample(UNITS, EXACT, SeededBits(b"h"), 2, rigorous=True)
    assert found.atoms.tolist() == [[1, 2, 0]] * 2
    assert found.masses.tolist() == [[4 * MASS_UNIT, 2 * MASS_UNIT, MASS_UNIT]] * 2


def test_both_paths_draw_the_same():
    budget = Budget(Fraction(1), Fraction(0), "replacement")
    slow, fast = (Histogram(WORDS, 4).sample(UNITS, budget, SeededBits(b"h"), 50, rigorous=r) for r in (True, False))
    assert slow.masses.tolist() == fast.masses.tolist()
    assert len({tuple(row) for row in slow.masses.tolist()}) == 50


def test_the_text_names_what_was_released_and_nothing_below_zero():
    assert Histogram(WORDS, 2).text({1: 4000, 2: -3}) == "Most frequent keywords: loan (about 4,000).\n"
    assert "stand out" in Histogram(WORDS._replace(kind="category"), 2).text({1: 0})
    assert Histogram(WORDS, 2).name == "DP keyword histogram"
