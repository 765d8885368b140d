"""Under held draws released masses shift by what a unit adds, and the noise's scale can be read off."""

import numpy as np
import pytest

from dpspin.adjacency import MASS_UNIT
from dpspin_audits.checks import shifts
from dpspin_audits.noise.exposed import beside
from dpspin_audits.noise.held import holding
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.reference_subject import Plans
from dpspin_audits.zoo.steps import Steps


class Box:
    """The black box behind a subject."""

    def __init__(self, inner):
        self.claim, self._inner = inner.claim, inner

    def fresh(self):
        return Box(self._inner.fresh())

    def release(self, records):
        return self._inner.release(records)


def searched(kind, maker: Maker):
    subject = Box(kind(maker.setting))
    with holding(subject) as held:
        ((variant, release),) = held.ways(beside(maker)).items()
        return shifts.tapped(held, variant, release, subject.claim, maker)


class Legacy(Steps):
    """Noise by numpy's global functions, of a law and a scale of one's choice, in units of mass."""

    law, scale = "laplace", 1.0

    def noisy(self, exact, bits, runs):
        noise = getattr(np.random, self.law)(0, self.scale, (runs, len(exact)))
        masses = np.asarray(exact) / MASS_UNIT + noise
        order = np.argsort(-masses, axis=1, kind="stable")[:, : self.setting.deployment.plan.size]
        return Plans(order, np.take_along_axis(masses, order, axis=1))


class Halved(Legacy):
    scale = 0.5


class Doubled(Steps):
    """Every contribution counts twice."""

    def aggregate(self, unit):
        return [2 * mass for mass in super().aggregate(unit)]


@pytest.mark.parametrize("terms", [{}, {"adjacency": "replacement"}, {"mechanism": "top_l", "unit": "user"}])
def test_a_correct_release_shifts_by_the_sensitivity_and_no_more(maker_of, terms):
    found = searched(Steps, maker_of(**terms))
    assert found.problem is None
    most = {(): 1, ("adjacency",): 2, ("mechanism", "unit"): 2}[tuple(terms)]
    assert 0.99 * most < float(found.figures["largest_shift"]) < most
    assert "implied_epsilon_at_least" not in found.figures  # bits of the system have no scale to be seen


def test_the_scale_of_a_known_law_is_read_off(maker):
    found = searched(Legacy, maker)
    assert found.problem is None
    assert 0.999 < float(found.figures["implied_epsilon_at_least"]) <= 1


@pytest.mark.parametrize(
    ("kind", "terms", "problem"),
    [(Halved, {}, "loses at least 1.9999"), (Doubled, {}, "shift by 1.9999"),
     (Doubled, {"adjacency": "replacement"}, "shift by 3.9999")],
)  # fmt: skip
def test_too_little_noise_and_too_large_a_shift_are_found(maker_of, kind, terms, problem):
    found = searched(kind, maker_of(**terms))
    assert problem in found.problem
    assert found.figures["witness"]["shown"]["with"]


def test_gaussian_noise_under_a_pure_claim_loses_without_bound(maker):
    class Normal(Legacy):
        law, scale = "normal", 50.0

    assert "at least any epsilon" in searched(Normal, maker).problem


def test_noise_of_two_laws_has_no_one_scale(maker):
    class Both(Legacy):
        def noisy(self, exact, bits, runs):
            found = super().noisy(exact, bits, runs)
            return Plans(found.atoms, found.masses + np.random.normal(0, 0.001))

    found = searched(Both, maker)
    assert (found.problem, "implied_epsilon_at_least" in found.figures) == (None, False)


def test_noise_that_follows_from_the_records_is_not_taken_for_a_shift(maker):
    class Follows(Steps):
        def release(self, records):
            self._count = len(records)
            return super().release(records)

        def noisy(self, exact, bits, runs):
            np.random.random(self._count)  # whatever is drawn next is another number
            noise = np.random.gumbel(0, 5, (runs, len(exact))) + np.random.random((runs, len(exact))) * 9
            masses = np.asarray(exact) / MASS_UNIT + noise
            order = np.argsort(-masses, axis=1, kind="stable")[:, :3]
            return Plans(order, np.take_along_axis(masses, order, axis=1))

    assert searched(Follows, maker) is None
