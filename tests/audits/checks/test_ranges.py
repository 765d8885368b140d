"""Ends of masses are looked for where the atom is always admitted, and counted for both corpora."""

import numpy as np
import pytest

from dpspin_audits.checks import ranges
from dpspin_audits.reference_subject import Plans


class Shifted:
    """One atom, whose mass is the number of records and a number of `law`."""

    def __init__(self, law, atom):
        self.law, self.atom = law, atom

    def fresh(self):
        return self

    def sample(self, records, runs):
        atoms = np.full((runs, 1), self.atom)
        return Plans(atoms, (self.law(runs) + len(records))[:, None])


@pytest.fixture(scope="module")
def made(maker):
    pair = ranges.pair_of(maker)
    assert len(pair.with_) == len(pair.without) + 1
    return pair


def test_a_law_with_ends_shows_them_on_one_side_each(made):
    """Two of three values: with the unit one goes beyond the other corpus, in half of the runs, and the other way."""
    coins = np.random.default_rng(3)
    subject = Shifted(lambda runs: coins.integers(0, 2, runs).astype(float), made.atoms[0])
    above, below = (edge.guesses for edge in ranges.edges(subject, made, b"seed"))
    for guesses in (above, below):
        assert guesses.right == guesses.guessed
        assert abs(guesses.right - ranges.RUNS / 4) < 6 * (ranges.RUNS * 3 / 16) ** 0.5


def test_a_law_without_ends_shows_as_many_on_both_sides_as_its_ratio_allows(made):
    draws = np.random.default_rng(3)
    subject = Shifted(lambda runs: draws.laplace(size=runs), made.atoms[0])
    for edge in ranges.edges(subject, made, b"seed"):
        assert edge.guesses.guessed < 60, "e times 10,000 / 4,000 are expected, and a few more"


def test_an_atom_that_is_not_released_has_no_ends(made):
    other = next(atom for atom in range(12) if atom not in made.atoms)
    assert list(ranges.edges(Shifted(np.zeros, other), made, b"seed")) == []


@pytest.mark.parametrize("terms", [{}, {"adjacency": "replacement"}, {"unit": "user"}])
def test_the_corpora_differ_in_one_unit_that_raises_the_atom(maker_of, terms):
    pair = ranges.pair_of(maker_of(**terms))
    assert len(pair.atoms) == 1
    assert pair.after[pair.atoms[0]] > pair.before[pair.atoms[0]] > 0
