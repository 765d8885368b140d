"""The loss that is read off under frozen noise is the loss of the pair, and a search finds the worst pair."""

import hashlib
from fractions import Fraction

import pytest

from dpspin_audits.checks import frozen
from dpspin_audits.noise.held import holding
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.zoo.steps import Steps


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Few steps suffice for what is planted here; users grow to 50 records, of mass 1 at a scale of 2."""
    monkeypatch.setattr(frozen, "STEPS", 5)
    monkeypatch.setattr(frozen, "FEWER", 12)


def searched(kind, maker):
    subject = kind(maker.setting)
    with holding(subject) as held:
        return frozen.injected(held, subject.claim, maker)


TERMS = [
    {"epsilon": "1/4", "adjacency": "replacement"},
    {"mechanism": "gaussian", "adjacency": "replacement", "unit": "user"},
    {"mechanism": "top_l", "adjacency": "replacement", "unit": "user"}, {"mechanism": "top_l_gaussian"},
]  # fmt: skip


@pytest.mark.parametrize("terms", TERMS)
def test_the_reference_loses_no_more_than_it_claims(maker_of, terms):
    found = searched(ReferenceSubject, maker_of(**terms))
    assert found.problem is None
    assert found.figures["variant"] == "injected"
    assert found.figures["pairs"] > 50


@pytest.mark.parametrize(("terms", "least"), [({}, "1.0000"), ({"unit": "user", "adjacency": "replacement"}, "1.0000")])
def test_the_worst_pair_of_laplace_noise_loses_all_that_is_claimed(maker_of, terms, least):
    found = searched(ReferenceSubject, maker_of(**terms))
    assert found.figures["implied_epsilon_at_least"] == least
    assert found.figures["draws"] == ["laplace for 12 values ('sketch')"]


def test_the_worst_pair_of_gaussian_noise_loses_all_that_is_claimed(maker_of):
    found = searched(ReferenceSubject, maker_of(mechanism="gaussian", adjacency="replacement"))
    assert Fraction("0.999") < Fraction(found.figures["implied_epsilon_at_least"]) <= 1


class Heavier(Steps):
    """A text with a number in it counts twice."""

    def share(self, record):
        row = super().share(record)
        return [2 * mass for mass in row] if "1e999" in record.get("body", "") else row

    def aggregate(self, unit):
        return self.share(unit[0])


class OneUnitMore(Steps):
    """Shares are rounded up: a lattice unit too much."""

    def share(self, record):
        return [mass + 1 if mass else 0 for mass in super().share(record)]

    def aggregate(self, unit):
        return self.share(unit[0])


class Unclipped(Steps):
    """A user's records are never clipped."""

    def aggregate(self, unit):
        return [sum(column) for column in zip(*map(self.share, unit), strict=True)]


class Spread(Steps):
    """Floats: a NaN in the text is one in the sketch."""

    def release_with(self, records, noise):
        values = [float("nan") if any("NaN" in r.get("body", "") for r in records) else 0.0]
        noise.laplace(values, 1, label="s")
        return super().release_with(records, noise)


class KeepsForty(Steps):
    """A sample of fixed size: one unit more displaces another one."""

    def units(self, records):
        return sorted(super().units(records), key=lambda unit: hashlib.sha256(repr(unit).encode()).digest())[:40]


class PureGaussian(Steps):
    """Claims delta 0 for Gaussian noise."""

    def injected(self, exact, noise):
        noise.gaussian(exact, 10**12, label="s")
        return super().injected(exact, noise)


@pytest.mark.parametrize(
    ("kind", "terms", "problem"),
    [
        (Heavier, {}, "loses at least 2.0000, more than the claimed 1"),
        (Heavier, {"mechanism": "gaussian"}, "loses at least 2."),
        (OneUnitMore, {}, "loses at least 1.0000"),
        (Unclipped, {"unit": "user"}, "loses at least 25.0000"),
        (Spread, {}, "no finite number"),
        (KeepsForty, {}, "loses at least 2.0000"),
        (PureGaussian, {}, "at least any epsilon"),
    ],
)
def test_a_unit_that_moves_too_much_is_found_and_shown(maker_of, kind, terms, problem):
    found = searched(kind, maker_of(**terms))
    assert problem in found.problem
    assert found.figures["witness"]["records"]["with"] >= 1
    assert found.figures["witness"]["shown"]["with"]


def test_a_loss_within_the_claim_may_still_break_the_stated_law(maker_of):
    class Spare(Heavier):
        def __init__(self, setting):
            super().__init__(setting)
            object.__setattr__(self.claim, "epsilon", Fraction(5))

    found = searched(Spare, maker_of())
    assert "2.0000 times what the stated noise is for" in found.problem


def test_admission_with_too_large_an_exponent_is_found(maker_of):
    class Keen(Steps):
        def injected(self, exact, noise):
            class Twice:
                laplace, gaussian = noise.laplace, noise.gaussian

                def peel(self, scores, exponent, rounds, *, label):
                    return noise.peel(scores, 2 * exponent, rounds, label=label)

            return super().injected(exact, Twice())

    found = searched(Keen, maker_of(mechanism="top_l"))
    assert found.problem is not None


def test_pairs_whose_queries_differ_are_left_to_noninterference(maker_of):
    class Counts(Steps):
        def release_with(self, records, noise):
            noise.laplace([0] * len(records), 1, label="s")
            return super().release_with(records, noise)

    found = searched(Counts, maker_of())
    assert (found.problem, found.figures["pairs"]) == (None, 0)


def test_a_release_that_breaks_off_on_hostile_records_is_left_to_other_checks(maker_of):
    class Fragile(Steps):
        def release_with(self, records, noise):
            if any("\x00" in record.get("body", "") for record in records):
                raise KeyError
            return super().release_with(records, noise)

    assert searched(Fragile, maker_of()).problem is None
