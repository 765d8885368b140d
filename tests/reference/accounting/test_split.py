"""The least common factor of admission and values: quoted factors, the claim kept, and what falls back."""

from fractions import Fraction

import pytest

from dpspin.accounting import admission
from dpspin.accounting.gaussian import analytic_sigma
from dpspin.accounting.split import GRID, PeelingClaim, Split, least_by_closed_form, least_factor
from dpspin.errors import UsageError

ONE, SIXTH = Fraction(1), Fraction(1, 10**6)
SIGMA = analytic_sigma(Fraction(1, 2), SIXTH, ONE)
USUAL = {
    "adjacency": "add_drop", "mass_bound": ONE, "plan_size": 10, "universe_size": 60, "selection_share": Fraction(1, 2),
    "epsilon": ONE, "delta": SIXTH,
}  # fmt: skip


def claim(**changes):
    return PeelingClaim(**{**USUAL, **changes})


@pytest.mark.parametrize(
    ("adjacency", "l2_squared", "factor"), [("add_drop", 1, "0.5961"), ("replacement", 2, "0.8066")]
)
def test_the_quoted_factors_of_the_scale_20_and_sigma_8_0576(adjacency, l2_squared, factor):
    assert round(SIGMA, 4) == 8.0576
    split = Split(adjacency, 10, Fraction(1, 20), SIGMA, Fraction(l2_squared))
    assert round(least_by_closed_form(split, ONE, SIXTH), 4) == Fraction(factor)


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
@pytest.mark.parametrize("size", [1, 3, 10])
def test_the_factor_keeps_the_claim_and_the_one_below_does_not(adjacency, size):
    split = claim(adjacency=adjacency, plan_size=size).split()
    factor = least_factor(split, ONE, SIXTH)
    assert factor < 1
    assert (factor / GRID).denominator == 1
    assert admission.meets(split.at(factor), ONE, SIXTH)
    assert not admission.meets(split.at(factor - GRID), ONE, SIXTH)


def test_the_split_spends_its_share_on_admission_and_the_rest_on_values():
    held = claim(adjacency="replacement", selection_share=Fraction(1, 4), mass_bound=Fraction(2)).split()
    assert held.per_round == Fraction(1, 4) / 11
    assert held.sigma == analytic_sigma(Fraction(3, 4), SIXTH, Fraction(8))
    assert claim(plan_size=99).split().rounds == 0


def test_more_rounds_than_the_closed_form_takes_are_left_to_concentration():
    split = Split("add_drop", 300, Fraction(1, 600), SIGMA, ONE)
    with pytest.raises(UsageError, match="at most 256"):
        least_by_closed_form(split, ONE, SIXTH)
    assert Fraction(1, 2) < least_factor(split, ONE, SIXTH) < 1


def test_no_factor_is_above_1():
    """What nothing certifies is kept as the composed split has it."""
    assert least_factor(claim(epsilon=Fraction(3000)).split(), Fraction(3000), SIXTH) <= 1


def test_a_claim_that_nothing_sharper_certifies_keeps_the_factor_1():
    tiny = claim(epsilon=Fraction(1, 2**20), delta=Fraction(1, 10**300))
    assert least_factor(tiny.split(), tiny.epsilon, tiny.delta) == 1


def test_sigma_is_rounded_up():
    split = claim().split()
    for factor in (Fraction(1, 3), Fraction(596059, 10**6), ONE):
        exact = factor * Fraction(split.sigma)
        assert exact <= Fraction(split.sigma_at(factor)) <= exact * (1 + Fraction(1, 2**52))


@pytest.mark.parametrize(("name", "value"), [
    ("mass_bound", Fraction(0)), ("epsilon", Fraction(0)), ("delta", Fraction(0)), ("delta", ONE),
    ("selection_share", ONE), ("plan_size", 0), ("universe_size", 0), ("universe_size", 2**53),
])  # fmt: skip
def test_what_is_no_claim_is_refused(name, value):
    with pytest.raises(UsageError):
        claim(**{name: value})
