from dpspin.universe import Universe
from dpspin_experiments.baselines.reach import reach

LABELS = ("Loan / Late fees", "Card / Stolen", "Bank / Hours", "Of / It")
ATOMS = Universe(LABELS, (None,) * len(LABELS))
SKETCH = [30, 10, 5, 0]


def test_words_of_the_heaviest_labels_count_by_mass():
    assert reach("Loan: late fees. Stolen CARD.", ATOMS, SKETCH, 2) == 1
    assert reach("fees and hours", ATOMS, SKETCH, 2) == (30 / 3) / 40  # one word of three; hours is no top theme's
    assert reach("stolen", ATOMS, SKETCH, 1) == 0
    assert reach("", ATOMS, SKETCH, 4) == 0


def test_nothing_to_name():
    assert reach("anything", ATOMS, [0, 0, 0, 0], 2) == 0
    assert reach("of it", Universe(("Of / It",), (None,)), [3], 1) == 0
