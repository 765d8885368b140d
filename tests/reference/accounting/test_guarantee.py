"""Guarantees: what may be compared, sums, and groups of records."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.accounting.conversion import from_add_drop_to_replacement
from dpspin.accounting.guarantee import Guarantee, agreed, group, order, total
from dpspin.accounting.laplace import RealLaplace
from dpspin.errors import UsageError

DELTA = Fraction(1, 10**6)


def promise(epsilon="1", delta="1e-6", unit="record", adjacency="add_drop"):
    return Guarantee(Fraction(epsilon), Fraction(delta), unit, adjacency)


def test_epsilons_at_one_delta_have_an_order():
    assert order(promise("1"), promise("2")) == "stronger"
    assert order(promise("2"), promise("1")) == "weaker"
    assert order(promise("1/3"), promise("1/3")) == "equal"


@pytest.mark.parametrize(("other", "named"), [
    (promise(delta="1e-5"), "delta"), (promise(unit="user"), "unit"), (promise(adjacency="replacement"), "adjacency"),
    (promise(delta="0"), "delta"),
])  # fmt: skip
def test_a_comparison_across_delta_unit_or_adjacency_is_refused(other, named):
    with pytest.raises(UsageError) as refused:
        order(promise(), other)
    assert refused.value.place == named
    assert "different" in refused.value.problem


def test_only_one_unit_under_one_adjacency_is_added_up():
    assert total([promise("1"), promise("1/3"), promise("2", "0")]) == promise("10/3", "2e-6")
    assert agreed([promise(), promise()]) == ("record", "add_drop")
    for other in (promise(unit="user"), promise(adjacency="replacement")):
        with pytest.raises(UsageError, match="different promises"):
            total([promise(), other])


def test_a_sum_of_deltas_is_never_more_than_1():
    assert total([promise("1", "0.7")] * 2).delta == 1


@given(st.fractions(Fraction(1, 50), 4, max_denominator=50), st.integers(1, 12))
def test_the_delta_of_a_group_is_the_geometric_sum_rounded_up(epsilon, records):
    found = group(promise(epsilon), records)
    factor = sum(math.exp(k * float(epsilon)) for k in range(records))
    assert found.epsilon == records * epsilon
    assert min(factor * 1e-6, 1) * (1 - 1e-12) <= float(found.delta) <= min(factor * 1e-6, 1) * (1 + 2e-6)


def test_a_pure_loss_grows_with_the_group_and_is_attained():
    assert group(promise("1/3", "0"), 7) == promise("7/3", "0")
    single, many = RealLaplace(Fraction(1, 3), 1), RealLaplace(Fraction(7, 3), 1)
    assert group(promise(single.pure, "0"), 7).epsilon == many.pure


def test_two_records_cost_what_a_replacement_costs_in_the_ledger():
    for epsilon in (Fraction(1, 10), Fraction(1), Fraction(3)):
        found = group(promise(epsilon), 2)
        assert found.epsilon == from_add_drop_to_replacement(epsilon, DELTA)[0]
        assert found.delta <= from_add_drop_to_replacement(epsilon, DELTA)[1] <= found.delta * (1 + Fraction(1, 10**5))


@pytest.mark.parametrize(("epsilon", "delta", "records", "least"), [
    ("0", "1e-6", 9, "9e-6"), ("1e-300", "1e-6", 9, "9e-6"), ("1e-10", "1e-6", 3, "3e-6"), ("1e300", "1e-6", 2, "1"),
    ("999", "1e-300", 2, "1"), ("20", "1e-6", 3, "1"), ("1", "1e-6", 1, "1e-6"), ("1/3", "1e-300", 5, "1.08552e-299"),
])  # fmt: skip
def test_extreme_groups_end_and_are_never_below_the_truth(epsilon, delta, records, least):
    found = group(promise(epsilon, delta), records)
    assert Fraction(least) <= found.delta <= Fraction(least) * (1 + Fraction(1, 10**4))
    assert found.epsilon == records * Fraction(epsilon)


def test_a_group_of_nobody_is_refused():
    with pytest.raises(UsageError, match="not a number of records"):
        group(promise(), 0)
