"""The noise that each mechanism needs, exact."""

from fractions import Fraction

import pytest

from dpspin.accounting.admission_bounds import CLOSED_FORM
from dpspin.accounting.calibration import GaussianNoise, LaplaceNoise, Peeling, calibrate
from dpspin.accounting.cost import cost_of
from dpspin.accounting.gaussian import analytic_sigma, classical_sigma
from dpspin.adjacency import MASS_UNIT
from dpspin.errors import UsageError
from dpspin.mechanism import Gaussian, Laplace, PrivateTopL
from dpspin.settings import Exact

MASS = Fraction(MASS_UNIT)
DELTA = Fraction(1, 10**6)


def changed(demo, mechanism, adjacency="add_drop", mass_bound="2"):
    """The demonstration deployment with L = 3 and another mechanism."""
    update = {"mechanism": mechanism, "adjacency": adjacency, "mass_bound": Exact(mass_bound)}
    return demo.model_copy(update=update)


def laplace(epsilon):
    return Laplace.model_validate({"kind": "laplace", "epsilon": epsilon, "delta": "0"})


def gaussian(epsilon, delta="1e-6", calibration="analytic"):
    fields = {"kind": "gaussian", "epsilon": epsilon, "delta": delta, "calibration": calibration}
    return Gaussian.model_validate(fields)


def top_l(em_mode="paper", values="laplace", share="1/2", epsilon="1"):
    fields = {"em_mode": em_mode, "values": values, "selection_share": share, "epsilon": epsilon}
    delta = "0" if values == "laplace" else "1e-6"
    return PrivateTopL.model_validate(fields | {"kind": "private_top_l", "delta": delta})


@pytest.mark.parametrize(("adjacency", "atoms", "scale"), [
    ("add_drop", 5, 6), ("add_drop", 1, 6), ("replacement", 5, 12), ("replacement", 1, 6),
])  # fmt: skip
def test_laplace_scale_is_delta_1_over_epsilon(demo, adjacency, atoms, scale):
    assert calibrate(changed(demo, laplace("1/3"), adjacency), atoms) == LaplaceNoise(scale * MASS)


@pytest.mark.parametrize(("adjacency", "atoms", "l2_squared"), [
    ("add_drop", 5, 4), ("add_drop", 1, 4), ("replacement", 5, 8), ("replacement", 1, 4),
])  # fmt: skip
def test_gaussian_sigma_is_the_smallest_float_times_the_mass_unit(demo, adjacency, atoms, l2_squared):
    noise = calibrate(changed(demo, gaussian("0.5"), adjacency), atoms)
    sigma = analytic_sigma(Fraction(1, 2), Fraction(1, 10**6), Fraction(l2_squared))
    assert noise == GaussianNoise(Fraction(sigma) * MASS)


def test_classical_calibration_is_larger_and_refused_outside_its_range(demo):
    classical = calibrate(changed(demo, gaussian("0.5", calibration="classical")), 5)
    rule = classical_sigma(Fraction(1, 2), Fraction(1, 10**6), Fraction(4))
    assert classical.sigma == Fraction(rule) * MASS
    assert classical.sigma > calibrate(changed(demo, gaussian("0.5")), 5).sigma
    for epsilon in ("1", "9"):
        with pytest.raises(UsageError, match=r"mechanism\.calibration.*outside the rule's range"):
            calibrate(changed(demo, gaussian(epsilon, calibration="classical")), 5)


@pytest.mark.parametrize(("em_mode", "adjacency", "factor"), [
    ("paper", "add_drop", 6), ("paper", "replacement", 6), ("tight", "add_drop", 3), ("tight", "replacement", 4),
])  # fmt: skip
def test_exponent_spends_the_share_over_l_rounds(demo, em_mode, adjacency, factor):
    noise = calibrate(changed(demo, top_l(em_mode, share="1/4"), adjacency), 5)
    assert noise.exponent == Fraction(1, 4) / (factor * 2 * MASS)  # L = 3, B = 2
    moved = 4 if adjacency == "replacement" else 2
    assert noise.values == LaplaceNoise(moved * MASS / Fraction(3, 4))


def test_plan_size_counts_up_to_the_universe(demo):
    small, wide = (calibrate(changed(demo, top_l()), atoms) for atoms in (2, 5))
    assert small.exponent * 2 == wide.exponent * 3


@pytest.mark.parametrize(("adjacency", "atoms", "l2_squared"), [
    ("add_drop", 5, 4), ("replacement", 5, 8), ("replacement", 1, 4),
])  # fmt: skip
def test_values_move_like_a_sketch_of_the_admitted_atoms(demo, adjacency, atoms, l2_squared):
    noise = calibrate(changed(demo, top_l("paper", values="gaussian"), adjacency), atoms)
    sigma = analytic_sigma(Fraction(1, 2), Fraction(1, 10**6), Fraction(l2_squared))
    assert isinstance(noise, Peeling)
    assert noise.values == GaussianNoise(Fraction(sigma) * MASS)


def scaled(noise, split):
    """The one factor by which noise is less than a split (exponent, sigma); None where there are two."""
    factor = split[0] / noise.exponent
    sigma = factor * Fraction(split[1]) * MASS
    return factor if 0 <= noise.values.sigma / sigma - 1 < Fraction(1, 2**52) else None


@pytest.mark.parametrize(("adjacency", "atoms", "parts", "l2_squared"), [
    ("add_drop", 5, 3, 4), ("replacement", 5, 4, 8), ("replacement", 3, 4, 8), ("add_drop", 1, 1, 4),
])  # fmt: skip
def test_tight_noise_with_gaussian_values_is_the_least_multiple_of_the_split_that_keeps_the_claim(
    demo, adjacency, atoms, parts, l2_squared
):
    deployment = changed(demo, top_l("tight", "gaussian", share="1/4"), adjacency)
    noise = calibrate(deployment, atoms)
    split = Fraction(1, 4) / (parts * 2 * MASS), analytic_sigma(Fraction(3, 4), DELTA, Fraction(l2_squared))
    factor = scaled(noise, split)
    assert 0 < factor < 1
    assert (factor * 10**6).denominator == 1
    assert cost_of(noise, deployment, atoms).epsilon <= 1
    less = factor - Fraction(1, 10**6)
    weaker = Peeling(split[0] / less, GaussianNoise(Fraction(less * Fraction(split[1]) * MASS)))
    closed = {one.name: one.epsilon for one in cost_of(weaker, deployment, atoms).alternatives}[CLOSED_FORM]
    assert closed > 1


def test_paper_noise_with_gaussian_values_is_the_papers(demo):
    noise = calibrate(changed(demo, top_l("paper", "gaussian")), 5)
    assert noise.exponent == Fraction(1, 2) / (6 * 2 * MASS)
    assert noise.values.sigma == Fraction(analytic_sigma(Fraction(1, 2), DELTA, Fraction(4))) * MASS


def test_a_claim_that_enclosures_do_not_decide_keeps_the_split(demo):
    noise = calibrate(changed(demo, top_l("tight", "gaussian", epsilon="100000")), 5)
    assert noise.exponent >= 50000 / (3 * 2 * MASS)


@pytest.mark.parametrize("mechanism", [laplace("1e-6"), gaussian("1e-6", "1e-9"), top_l(epsilon="1e-6")])
def test_noise_too_large_to_be_drawn_is_refused_before_any_charge(demo, mechanism):
    with pytest.raises(UsageError, match="more than 2\\^20 units of mass"):
        calibrate(changed(demo, mechanism), 5)


def test_noise_too_small_to_be_drawn_is_refused(demo):
    with pytest.raises(UsageError, match="less than 2\\^-60 units of mass"):
        calibrate(changed(demo, laplace("1e60")), 5)
