"""Curves of deployments and of several releases, their inverse, native parameters and the points that are drawn."""

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.accounting.admission import delta as closed_form
from dpspin.accounting.certified import tight_delta
from dpspin.accounting.composition import Composition, pure_mu_squared
from dpspin.accounting.cost import accounted, selection_cost
from dpspin.accounting.curve import (
    GaussianCurve,
    PeelingCurve,
    compose,
    epsilon_at,
    native,
    of_deployment,
    points,
)
from dpspin.accounting.laplace import LatticeLaplace, RealLaplace
from dpspin.adjacency import MASS_UNIT
from dpspin.errors import UsageError
from dpspin.mechanism import Gaussian, Laplace, PrivateTopL
from dpspin.settings import Exact

LAPLACE = {"kind": "laplace", "epsilon": "1", "delta": "0"}
GAUSSIAN = {"kind": "gaussian", "epsilon": "1", "delta": "1e-6", "calibration": "analytic"}
TOP_L = {"kind": "private_top_l", "epsilon": "1", "em_mode": "tight", "selection_share": "1/2"}
CLAIM = Fraction(1, 10**6)


@pytest.fixture
def changed(demo):
    """The demonstration deployment with another mechanism, relation and bound."""

    def _changed(mechanism, adjacency="add_drop", mass_bound="1"):
        update = {"mechanism": mechanism, "adjacency": adjacency, "mass_bound": Exact(mass_bound)}
        return demo.model_copy(update=update | {"plan": demo.plan.model_copy(update={"size": 3})})

    return _changed


def top_l(values):
    delta = "0" if values == "laplace" else "1e-6"
    return PrivateTopL.model_validate(TOP_L | {"values": values, "delta": delta})


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
@pytest.mark.parametrize("bound", ["1", "2", "1/3"])
def test_a_laplace_deployment_has_the_exact_curve_of_the_lattice(changed, adjacency, bound):
    curve = of_deployment(changed(Laplace.model_validate(LAPLACE), adjacency, bound), 50)
    assert isinstance(curve, LatticeLaplace)
    assert (curve.coordinates, curve.shift) == (
        1 + (adjacency == "replacement"),
        math.floor(Fraction(bound) * MASS_UNIT),
    )
    assert 1 - Fraction(1, 10**5) < curve.pure <= 1
    assert epsilon_at(curve, Fraction(0)) == (curve.pure, curve.pure)


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
def test_a_gaussian_deployment_meets_its_claim_and_hardly_more(changed, adjacency):
    curve = of_deployment(changed(Gaussian.model_validate(GAUSSIAN), adjacency, "2"), 50)
    low, high = curve.delta(Fraction(1))
    assert CLAIM * (1 - Fraction(1, 10**12)) < low < high <= CLAIM
    assert abs(epsilon_at(curve, CLAIM).high - 1) < Fraction(1, 10**10)


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
@pytest.mark.parametrize("values", ["laplace", "gaussian"])
def test_peeling_has_the_least_of_its_bounds_and_agrees_with_the_cost(changed, adjacency, values):
    deployment = changed(top_l(values), adjacency)
    curve = of_deployment(deployment, 50)
    assert isinstance(curve, PeelingCurve)
    for epsilon in (Fraction(0), Fraction(1, 3), Fraction(2, 3)):
        both = curve.known.delta(epsilon).high, closed_form(curve.admission, epsilon).high
        assert curve.delta(epsilon).high == min(both)
    cost = accounted(deployment, 50)
    if values == "laplace":
        assert curve.pure == cost.epsilon
        assert curve.delta(curve.pure) == (0, 0)
        assert curve.delta(curve.pure * Fraction(99, 100)).high > 0
    else:
        assert curve.pure is None
        found = epsilon_at(curve, cost.delta).high
        bounded_range = "bounded-range" in cost.theorem  # too slow for every point of a curve
        assert (
            cost.epsilon * (1 - Fraction(1, 10**5))
            < found
            < cost.epsilon * Fraction("1.05" if bounded_range else "1.00001")
        )


@pytest.mark.parametrize("values", ["laplace", "gaussian"])
def test_admitting_every_atom_leaves_the_curve_of_the_values(changed, values):
    curve = of_deployment(changed(top_l(values)), 3)
    assert isinstance(curve, LatticeLaplace if values == "laplace" else GaussianCurve)
    assert isinstance(of_deployment(changed(top_l(values)), 4), PeelingCurve)


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
def test_k_records_move_a_sketch_like_one_of_k_times_the_mass(changed, adjacency):
    gaussian = changed(Gaussian.model_validate(GAUSSIAN), adjacency)
    one, seven = of_deployment(gaussian, 50), of_deployment(gaussian, 50, 7)
    assert seven.mu_squared == 49 * one.mu_squared  # mu grows with k
    laplace = changed(Laplace.model_validate(LAPLACE), adjacency)
    assert of_deployment(laplace, 50, 7).pure == 7 * of_deployment(laplace, 50).pure
    peeling = changed(top_l("gaussian"), adjacency)
    alone, together = of_deployment(peeling, 50), of_deployment(peeling, 50, 2)
    assert together.known.losses == (2 * alone.known.losses[0],)
    assert together.admission.per_round == 2 * alone.admission.per_round
    assert alone.known.losses == (selection_cost(adjacency, 3, alone.admission.per_round),)


def test_gaussian_releases_add_up_exactly_and_one_release_keeps_its_curve():
    nine = compose([GaussianCurve(Fraction(1, 16))] * 9)
    assert nine == GaussianCurve(Fraction(9, 16))
    noise = RealLaplace(Fraction(1), 2)
    assert compose([noise]) is noise
    assert compose([noise, GaussianCurve(Fraction(1, 4))]) == Composition((Fraction(1), Fraction(1)), Fraction(1, 4))


@settings(max_examples=25)
@given(
    st.lists(st.fractions(Fraction(1, 9), 2, max_denominator=9), min_size=1, max_size=3), st.integers(0, 1),
    st.integers(3, 12),
)  # fmt: skip
def test_composition_is_never_worse_than_the_sum_that_the_ledger_adds(shifts, gaussians, power):
    curves = [RealLaplace(shift, 1) for shift in shifts] + gaussians * [GaussianCurve(Fraction(1, 25))]
    delta = Fraction(1, 10**power)
    summed = sum(shifts) + (epsilon_at(GaussianCurve(Fraction(1, 25)), delta).high if gaussians else 0)
    assert epsilon_at(compose(curves), delta).high <= summed * (1 + Fraction(1, 10**8))


@pytest.mark.parametrize("curve", [
    RealLaplace(Fraction(1, 2), 2), LatticeLaplace(16, Fraction(16), 1), GaussianCurve(Fraction(1, 9)),
    Composition((Fraction(1), Fraction(1, 2)), Fraction(1, 9)), Composition((Fraction(1),), Fraction(0)),
])  # fmt: skip
@pytest.mark.parametrize("power", [1, 3, 9])
def test_epsilon_at_a_delta_holds_and_a_smaller_one_does_not(curve, power):
    delta = Fraction(1, 10**power)
    low, high = epsilon_at(curve, delta)
    assert curve.delta(high).high <= delta
    assert 0 <= high - low <= high / 10**8
    if low:
        assert curve.delta(low * Fraction(999, 1000)).low > delta


def test_a_loss_that_no_curve_reaches_is_refused():
    with pytest.raises(UsageError, match="no loss at delta 0"):
        epsilon_at(GaussianCurve(Fraction(1)), Fraction(0))
    with pytest.raises(UsageError, match="above"):
        epsilon_at(RealLaplace(Fraction(10**6), 1), Fraction(1, 10**6))
    assert epsilon_at(RealLaplace(Fraction(1, 10**9), 1), Fraction(1, 2)) == (0, 0)


def test_native_parameters_are_the_known_ones():
    assert native([GaussianCurve(Fraction(1, 4))]) == (None, Fraction(1, 8), Fraction(1, 4))
    pure = native([RealLaplace(Fraction(1, 2), 2)])
    assert pure[:2] == (1, Fraction(1, 4))  # two coordinates of 1/2 each
    assert pure.mu_squared == 2 * pure_mu_squared(Fraction(1, 2))
    assert native([RealLaplace(Fraction(1), 1), GaussianCurve(Fraction(1))])[:2] == (None, 1)


def test_admission_has_the_sharper_rho_of_its_rounds(changed):
    curve = of_deployment(changed(top_l("gaussian")), 50)
    a = curve.admission.per_round
    assert (
        native([curve]).rho == 3 * a**2 / 8 + curve.known.mu_squared / 2 < (3 * a) ** 2 / 2 + curve.known.mu_squared / 2
    )


@pytest.mark.parametrize("curve", [RealLaplace(Fraction(1, 3), 1), GaussianCurve(Fraction(1, 9))])
def test_points_run_from_no_loss_to_the_least_delta(curve):
    found = points(curve, Fraction(1, 10**12), 30)
    losses = [point.epsilon for point in found]
    assert losses == sorted(losses)
    assert found[0].epsilon == 0
    assert found[-1].delta.high <= Fraction(1, 10**12)
    assert all(one.delta.high >= other.delta.low for one, other in pairwise(found))
    if curve.pure is not None:
        assert losses[-1] == curve.pure
        assert 0 < found[-2].delta.high < Fraction(1, 10**12)


def test_a_gaussian_curve_is_theorem_8():
    assert GaussianCurve(Fraction(1, 16)).delta(Fraction(1)) == tight_delta(Fraction(1), Fraction(1, 16))
