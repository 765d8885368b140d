"""Every bound on one release, by name: from above, from below, and what is left out."""

from fractions import Fraction

import pytest

from dpspin.accounting.admission import Admission
from dpspin.accounting.admission_bounds import BOUNDED_RANGE, CLOSED_FORM, CONCENTRATED, lower, upper
from dpspin.accounting.value_loss import GaussianLoss, LaplaceLoss

SIXTH, A = Fraction(1, 10**6), Fraction(1, 10)


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
@pytest.mark.parametrize("rounds", [1, 10, 50])
def test_every_upper_bound_is_above_the_lower_one(adjacency, rounds):
    one = Admission(adjacency, rounds, A, GaussianLoss(Fraction(1, 25)))
    found = upper(one, Fraction(1), SIXTH)
    assert set(found) == {CLOSED_FORM, BOUNDED_RANGE, CONCENTRATED}
    assert 0 < lower(one, 100, SIXTH) < min(found.values())


def test_a_loss_that_holds_is_not_rounded_up():
    one, third = Admission("add_drop", 0, A, GaussianLoss(Fraction(1, 400))), Fraction(1, 3)
    assert upper(one, third, SIXTH)[CLOSED_FORM] <= third
    exact = upper(one, Fraction(0), SIXTH)[CLOSED_FORM]
    just_above = exact - Fraction(1, 10**9)
    assert upper(one, just_above, SIXTH)[CLOSED_FORM] in (exact, just_above)


def test_what_cannot_be_decided_is_left_out():
    many = Admission("add_drop", 300, A, GaussianLoss(Fraction(1, 25)))
    assert set(upper(many, Fraction(1), SIXTH)) == {CONCENTRATED}
    laplace = Admission("add_drop", 3, A, LaplaceLoss(Fraction(1, 3)))
    assert CONCENTRATED not in upper(laplace, Fraction(1), SIXTH)
    assert lower(laplace, 12, SIXTH) is None
