import pytest

from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.calibrations import calibrations


def test_scales_by_hand(bench):
    low, high = calibrations(bench)
    assert (low.epsilon, high.epsilon) == ("0.2", "4")
    assert (low.laplace, high.laplace) == (5, 0.25)  # B / epsilon
    # half of epsilon for selection, a 1 / (2 L) of it for each of five rounds
    assert (low.paper, high.paper) == pytest.approx((0.01, 0.2))
    assert low.tight / low.paper >= 2
    assert high.tight / high.paper >= 2
    assert low.classical == pytest.approx((2 * 14.038654) ** 0.5 / 0.2, rel=1e-6)  # ln(1.25e6) = 14.0387
    assert low.gaussian < low.classical
    assert high.classical is None


def test_the_bound_of_a_user_widens_the_noise(bench):
    grid = bench.sweep.grids[1]
    wide = grid.model_copy(update={"mass_bounds": (type(grid.mass_bounds[0])("2"),)})
    found = calibrations(Bench(bench.sweep.model_copy(update={"grids": (wide,)}), bench.gathered))
    assert found[0].laplace == 10
    assert found[0].classical == pytest.approx(2 * (2 * 14.038654) ** 0.5 / 0.2, rel=1e-6)
