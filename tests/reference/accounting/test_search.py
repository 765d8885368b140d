"""A search ends at the least number that holds, wherever it starts."""

from fractions import Fraction
from math import log

import pytest

from dpspin.accounting import admission, bounded_range, lower_bound, zcdp
from dpspin.accounting.admission import Admission
from dpspin.accounting.search import (
    LARGEST,
    falling_root,
    greatest_decimal,
    least_decimal,
    refuse_certain,
    rounded_up,
)
from dpspin.accounting.value_loss import GaussianLoss
from dpspin.errors import UsageError

LIMITS = [Fraction(1, 3), Fraction(7), Fraction(999999, 10**6), Fraction(123456789, 10**14)]


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("off", [1, 1 + 1e-9, 1 - 1e-9, 3, 0.01])
def test_the_least_decimal_holds_and_the_one_below_fails(limit, off):
    found = least_decimal(lambda x: x >= limit, float(limit) * off)
    assert limit <= found <= limit * (1 + Fraction(3, 10**5) * max(1, round(off)))


def test_the_least_decimal_has_six_digits():
    assert least_decimal(lambda x: x >= Fraction(1, 3), 1 / 3) == Fraction(333334, 10**6)
    assert least_decimal(lambda x: x >= Fraction(2, 3), 0.1, Fraction(1, 8)) == Fraction(6, 8)


def test_two_decisions_settle_a_good_proposal():
    asked = []
    least_decimal(lambda x: asked.append(x) or x >= Fraction(1, 3), 1 / 3)
    assert len(asked) == 2


def test_the_greatest_decimal_is_close_below_or_0():
    assert greatest_decimal(lambda x: x <= Fraction(2, 3), 0.66667) == Fraction(666666, 10**6)
    assert greatest_decimal(lambda x: False, 0.5) == 0


@pytest.mark.parametrize("claim", [0, 1, -1, 2])
def test_a_delta_that_is_certain_is_refused_by_every_search(claim):
    gaussian = Admission("add_drop", 3, Fraction(1, 10), GaussianLoss(Fraction(1, 25)))
    for search in (
        lambda delta: admission.epsilon(gaussian, delta),
        lambda delta: bounded_range.epsilon(bounded_range.of_peeling(gaussian), delta),
        lambda delta: zcdp.epsilon(Fraction(1, 50), delta),
        lambda delta: lower_bound.epsilon(gaussian, 12, delta),
    ):
        with pytest.raises(UsageError, match="not between 0 and 1"):
            search(Fraction(claim))
    refuse_certain(Fraction(1, 2))


@pytest.mark.parametrize("root", [1e-6, 0.3, 1.0, 40.0, 1e6])
@pytest.mark.parametrize("near", [1e-3, 1.0, 1e3])
def test_a_root_is_found_from_any_start(root, near):
    assert falling_root(lambda x: log(root) - log(max(x, 1e-12)), near) == pytest.approx(root, rel=1e-6)


def test_a_function_without_a_root_has_an_end():
    assert LARGEST / 2 < falling_root(lambda x: 1.0, 1.0) <= LARGEST
    assert falling_root(lambda x: -1.0, 1.0) < 1e-8


@pytest.mark.parametrize(
    ("value", "shown"), [("1/3", "333334e-6"), ("2", "2"), ("999999.5", "1000000"), ("1e-30", "1e-30")]
)
def test_rounding_up_to_six_digits(value, shown):
    assert rounded_up(Fraction(value)) == Fraction(shown)
