"""Shared noise is found in whatever law; independent noise is not accused, however coarse."""

from fractions import Fraction
from itertools import combinations, repeat
from math import comb

import numpy as np
import pytest

from dpspin import canonical
from dpspin_audits.checks import independence
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.running.outcomes import Conduct, Outcome

ALPHA = 1e-6
generator = np.random.default_rng(7)


def plan(masses):
    rows = [{"index": atom, "noisy_mass": str(Fraction(float(mass)))} for atom, mass in enumerate(masses)]
    return {"plan.json": canonical.dumps({"released": rows})}


class Adds:
    """Twelve masses: the number of records each, and noise of an instance."""

    def __init__(self, reference, noise):
        self.claim, self._reference, self._noise = reference.claim, reference, noise

    def fresh(self):
        return Adds(self._reference, self._noise)

    def release(self, records):
        return plan(np.add(self._noise(records), len(records)))


class Draws(Adds):
    """One draw of noise an instance."""

    def fresh(self):
        drawn = generator.laplace(size=12)
        return Adds(self._reference, lambda _: drawn)


def check(subject, maker, history=None):
    return independence.check(subject, maker, b"seed", ALPHA, history)


HONEST = {
    "fine": lambda rows: generator.laplace(size=12),
    "whole numbers": lambda rows: np.rint(generator.laplace(size=12)),
    "tens": lambda rows: 10 * np.rint(generator.laplace(0, 4, 12) / 10),
    "none at all": lambda rows: np.zeros(12),
    "one of two": lambda rows: generator.integers(0, 2, 12),
}


@pytest.mark.parametrize("name", HONEST)
def test_independent_noise_passes_however_coarse(reference, maker, name):
    found = check(Adds(reference, HONEST[name]), maker)
    assert (found.status, found.strength) == ("pass", "statistical")
    assert "were not looked for" in found.summary


SHARED = {
    "one draw for all": lambda rows: np.full(12, generator.laplace()),
    "one whole number for all": lambda rows: np.full(12, float(generator.integers(0, 4))),
    "opposite draws for neighbours": lambda rows: np.repeat(generator.laplace(size=6), 2) * np.tile([1, -1], 6),
    "one draw for empty atoms": lambda rows: generator.laplace(size=12) if rows else np.full(12, generator.laplace()),
}


class Pairs(Adds):
    """The three highest of twelve masses; atoms 9 and 10 share their noise, which is one of `values`, or do not."""

    def __init__(self, reference, noise, shared=True):
        super().__init__(reference, noise)
        self._shared = shared

    def fresh(self):
        return Pairs(self._reference, self._noise, self._shared)

    def release(self, records):
        noise = np.array(self._noise(records))
        noise[10] = noise[9] if self._shared else noise[10]
        masses = noise + np.array(self._reference.sketch(records)) / 2**10
        rows = [{"index": int(atom), "noisy_mass": str(masses[atom])} for atom in np.argsort(-masses)[:3]]
        return {"plan.json": canonical.dumps({"released": rows})}


@pytest.mark.parametrize("noise", ["fine", "whole numbers"])
def test_two_atoms_that_share_noise_are_found_wherever_they_stand(reference, maker, noise):
    found = check(Pairs(reference, HONEST[noise]), maker)
    assert (found.status, "two masses of another release" in found.reason) == ("fail", True)
    assert check(Pairs(reference, HONEST[noise], shared=False), maker).status == "pass"


@pytest.mark.parametrize("name", SHARED)
def test_noise_that_masses_share_is_found(reference, maker, name):
    found = check(Adds(reference, SHARED[name]), maker)
    assert (found.status, found.location.file) == ("fail", "plan.json")
    assert ("without records" in found.reason) == (name == "one draw for empty atoms")


def test_noise_that_releases_of_an_instance_share_is_found(reference, maker):
    found = check(Draws(reference, None), maker)
    assert (found.status, "two releases of an instance" in found.reason) == ("fail", True)


@pytest.mark.parametrize("terms", [{}, {"unit": "user", "adjacency": "replacement"}, {"mechanism": "top_l"}])
def test_the_reference_passes(maker_of, terms):
    maker = maker_of(**terms)
    assert check(ReferenceSubject(maker.setting), maker).status == "pass"


def history(maker, before, after):
    made = [Outcome(plan(row)) for row in (*before, [0.0], *after)]
    assert len(made) == len(independence.histories(maker))
    return Conduct(tuple(made))


def test_what_earlier_records_left_behind_is_found(reference, maker):
    k, subject = independence.BEFORE, Adds(reference, HONEST["fine"])
    clean, stained = generator.laplace(size=(k, 12)), generator.laplace(size=(k, 12)) + 40
    assert check(subject, maker, history(maker, clean, stained)).reason.startswith("the empty corpus")
    assert check(subject, maker, history(maker, clean, clean)).status == "pass"
    assert check(subject, maker, history(maker, clean, [*stained[:-1], clean[-1]])).status == "pass"
    assert check(subject, maker, Conduct(())).status == "pass"


def test_an_atom_that_is_there_only_after_the_records_is_found(reference, maker):
    k, subject = independence.BEFORE, Adds(reference, HONEST["fine"])
    assert check(subject, maker, history(maker, [[]] * k, [[1.0] * 12] * k)).status == "fail"
    assert check(subject, maker, history(maker, [[]] * k, [[]] * k)).status == "pass"


def test_the_chance_of_locked_changes_is_at_most_one_half():
    """Y is independent of X and has any law: given X's change t, not zero, Y changes by t at most half the time."""
    for values in ([0, 1], [0, 1, 2], [0, 1, 3], [0, 0, 0, 1]):
        changes = [b - a for a in values for b in values]
        for change in set(changes) - {0}:
            assert max(changes.count(change), changes.count(-change)) <= len(changes) / 2


@pytest.mark.parametrize(("width", "copies"), [(3, 2), (4, 2), (5, 3), (6, 3)])
def test_the_chance_of_ties_is_below_the_stated_one(width, copies):
    """All copies of the larger value of two releases with `width` masses each fall into one of them."""
    places = list(combinations(range(2 * width), copies))
    tied = sum(max(place) < width or min(place) >= width for place in places)
    assert tied / len(places) < 2 ** (1 - copies)


def test_the_chance_of_complete_separation_is_the_stated_one():
    assert comb(2 * independence.BEFORE, independence.BEFORE) == 40_116_600
    orders = list(combinations(range(6), 3))
    assert sum(min(set(range(6)) - set(before)) > max(before) for before in orders) == 1
    assert len(orders) == comb(6, 3)


def test_a_test_goes_on_only_until_its_chance_is_small_enough():
    same, other = {0: Fraction(1), 1: Fraction(1), 2: Fraction(2)}, {0: Fraction(1), 1: Fraction(2), 2: Fraction(1)}
    assert independence.locked(repeat(same), [(0, 1)], 20)
    assert independence.locked(repeat(same), [(1, 2), (0, 2), (0, 1)], 20)
    assert not independence.locked([same] * 19, [(0, 1)], 20)
    assert not independence.locked([*[same] * 10, other, *[same] * 19], [(0, 1), (0, 2)], 20)
    opposite = {0: Fraction(1), 1: Fraction(-1)}
    assert independence.locked([opposite] * 20, [(0, 1)], 20)
    assert not independence.locked([same, opposite] * 50, [(0, 1)], 20), "now one sign, now the other"
    assert not independence.locked([{0: Fraction(0), 1: Fraction(0)}] * 50, [(0, 1)], 20)
    assert not independence.locked([{0: Fraction(1)}] * 50, [(0, 1)], 20), "an atom that is not released"
    masses = ({0: Fraction(value), 1: Fraction(value), 2: Fraction(value)} for value in range(100))
    assert independence.tied(masses, 20)
    assert not independence.tied(iter([{0: Fraction(1)}, {0: Fraction(2)}] * 50), 20), "one mass ties with nothing"
    assert not independence.tied(iter([{0: Fraction(1), 1: Fraction(1)}] * 100), 20), "a constant is no noise"
