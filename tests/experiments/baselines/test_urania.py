"""The URANIA-style release: integer assignment by brute force, sensitivities stage by stage, text from the release."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dpspin.curator.noise import SeededBits
from dpspin.universe import Universe
from dpspin_experiments.baselines.budget import Budget, moved
from dpspin_experiments.baselines.documents import Document
from dpspin_experiments.baselines.urania import GRID, Urania, assigned, centre, totals, urania
from dpspin_experiments.baselines.vocabulary import Vocabulary

WORDS = Vocabulary("keyword", ("aaaa", "bbbb", "cccc", "dddd", "eeee", "ffff"), 2)
BASELINE = Urania(WORDS, ((0, 1), (2, 3)), 2, 3)
TEXTS = ("aaaa bbbb", "aaaa", "cccc dddd", "cccc dddd eeee", "bbbb ffff", "", "ffff", "aaaa cccc")
UNITS = [Document((text,), ()) for text in TEXTS]
EXACT = Budget(Fraction(10_000), Fraction(0), "add_drop")  # a draw differs from 0 with probability below 1e-100


def stages_of(row):
    ends = np.cumsum(BASELINE.sizes)
    return np.split(np.asarray(row), ends[:-1])


def test_a_unit_goes_to_its_nearest_centre_whoever_else_is_there():
    stream = np.random.default_rng(5)
    rows, centres = stream.integers(2, size=(40, 6)), stream.integers(GRID + 1, size=(3, 4, 6))
    found = assigned(rows, centres)
    for run, unit in product(range(3), range(40)):
        gaps = [
            sum((GRID * int(x) - int(c)) ** 2 for x, c in zip(rows[unit], one, strict=True)) for one in centres[run]
        ]
        assert found[run, unit] == gaps.index(min(gaps))
        assert assigned(rows[unit : unit + 1], centres)[run, 0] == found[run, unit]


def test_totals_and_centres_by_hand():
    rows = np.array([[1, 0], [1, 1], [0, 1]])
    counted = totals(rows, np.array([[0, 0, 1]]), 2)
    assert counted.tolist() == [[[2, 1, 2], [0, 1, 1]]]
    assert centre(counted).tolist() == [[[GRID, GRID // 2], [0, GRID]]]
    assert centre(np.array([[[-5, 9, -1]]])).tolist() == [[[0, GRID]]]


def test_counts_are_a_release_without_noise():
    found = BASELINE.sample(UNITS, EXACT, SeededBits(b"u"), 1, rigorous=False)
    noisy = dict(zip(found.atoms[0].tolist(), (found.masses[0] >> 20).tolist(), strict=True))
    counts = BASELINE.counts(UNITS)
    assert [noisy[at] for at in range(len(BASELINE.cells))] == counts
    *_, sizes, words = stages_of(counts)
    assert sum(sizes) == len(UNITS)
    assert words.reshape(2, 6).sum(axis=0).tolist() == WORDS.rows(UNITS).sum(axis=0).tolist()


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
def test_no_stage_moves_farther_than_it_is_charged_for_and_some_unit_moves_it_so_far(adjacency):
    """Every unit in place of every other, every stage given the same earlier noisy numbers."""
    stream, worst = np.random.default_rng(3), np.zeros((4, 2))
    base, others = UNITS[:5], [Document((f"{x} {y}",), ()) for x, y in product(WORDS.entries, repeat=2)]
    olds = [[]] if adjacency == "add_drop" else [[old] for old in others]
    released = np.array([BASELINE.counts(UNITS)]) + stream.integers(-2, 3, size=len(BASELINE.cells))
    for old, new in product(olds, others):
        start = 0
        for number, size in enumerate(BASELINE.sizes):
            left, right = (
                BASELINE.exact(WORDS.rows([*base, *side]), released[:, :start], number)[0] for side in (old, [new])
            )
            worst[number] = np.maximum(worst[number], [np.abs(right - left).sum(), ((right - left) ** 2).sum()])
            start += size
    charged = [[float(x) for x in moved(stage, adjacency)] for stage in BASELINE.stages]
    assert worst.tolist() == charged


def test_the_likelihood_is_that_of_independent_noise():
    stream = np.random.default_rng(8)
    released = np.array([BASELINE.counts(UNITS)]) + stream.integers(-9, 10, size=(3, len(BASELINE.cells)))
    for budget in (Budget(Fraction(1), Fraction(0), "add_drop"), Budget(Fraction(1), Fraction("1e-5"), "add_drop")):
        found = BASELINE.likelihood(UNITS, released, budget)
        for run in range(3):
            total, start = 0.0, 0
            for number, (stage, size) in enumerate(zip(BASELINE.stages, BASELINE.sizes, strict=True)):
                exact = BASELINE.exact(WORDS.rows(UNITS), released[run : run + 1, :start], number)[0]
                off = (released[run, start : start + size] - exact) / float(budget.scale(stage))
                total -= sum(x * x / 2 if budget.delta else abs(x) for x in off)
                start += size
            assert abs(found[run] - total) < 1e-9


def test_small_groups_are_left_out_of_the_text():
    counts = dict(enumerate(BASELINE.counts(UNITS)))
    sizes = sum(BASELINE.sizes[:2])
    assert BASELINE.text(counts | {sizes: 2, sizes + 1: 3}).startswith("A group of about 3: cccc")
    assert BASELINE.text(counts | {sizes: 2, sizes + 1: 2}) == "No group is large enough to be described.\n"


def test_shares_add_up_and_first_centres_are_words_of_labels():
    found = urania(Universe(("Late fees", "Card lost", "Loan refused"), (None,) * 3), 2)
    assert sum(stage.share for stage in found.stages) == 1
    assert [[found.vocabulary.entries[at] for at in first] for first in found.first] == [
        ["late", "fees"],
        ["card", "lost"],
    ]
    assert len(found.cells) == sum(found.sizes)
