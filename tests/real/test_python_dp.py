"""python-dp 1.1.5: what must be found, and what must pass.  Every verdict is wrong with probability at most 1e-6."""

import pytest

DELTA = 1e-5
RANGE = {"lower_bound": 0, "upper_bound": 1}


def test_low_order_bits_of_gaussian_noise_tell_what_it_was_added_to(python_dp, scalar, figure):
    asked = {"epsilon": 1.0, "delta": DELTA}
    draw = scalar.numbers(lambda side, runs: python_dp.ask("gaussian", values=[side], runs=runs, **asked))
    found = scalar.judged(draw, (1.0, DELTA), scale=3.7)
    figure(f"claimed (1, {DELTA}); epsilon at least {found.bits:.3f} from low-order bits, {found.ideal:.3f} without")
    assert found.refuted == ("bits",)


def test_laplace_passes(python_dp, scalar, figure):
    draw = scalar.numbers(lambda side, runs: python_dp.ask("laplace", values=[side], epsilon=1.0, runs=runs))
    found = scalar.judged(draw, (1.0, 0.0))
    figure(f"claimed 1; epsilon at least {found.ideal:.3f}, low-order bits {found.bits:.3f}")
    assert not found.refuted


def test_half_of_what_laplace_claims_is_refuted(python_dp, scalar):
    """The planted fault: the pair is telling."""
    draw = scalar.numbers(lambda side, runs: python_dp.ask("laplace", values=[side], epsilon=1.0, runs=runs))
    assert "ideal" in scalar.judged(draw, (0.5, 0.0)).refuted


@pytest.mark.parametrize("case", [
    ("Count", [], [1], {"dtype": "int"}), ("BoundedSum", [], [1], RANGE | {"dtype": "int"}),
    ("BoundedSum", [], [1.0], RANGE | {"dtype": "float"}),
    ("BoundedMean", [0.0], [0.0, 1.0], RANGE | {"dtype": "float"}),
], ids=lambda case: f"{case[0]}-{case[3]['dtype']}")  # fmt: skip
def test_aggregations_pass(python_dp, scalar, figure, case):
    """One value more."""
    kind, before, after, terms = case

    def draw(side, runs):
        return python_dp.ask("aggregate", kind=kind, values=(before, after)[side], runs=runs, epsilon=1.0, **terms)

    found = scalar.judged(scalar.numbers(draw), (1.0, 0.0))
    figure(f"claimed 1; epsilon at least {found.ideal:.3f}, low-order bits {found.bits:.3f}")
    assert not found.refuted


def mean_of_integers(python_dp, upper):
    terms = {"kind": "BoundedMean", "dtype": "int", "lower_bound": 0, "upper_bound": upper, "epsilon": 1.0}
    return lambda side, runs: python_dp.ask("aggregate", values=[upper] * side, runs=runs, **terms)


def test_a_mean_of_integers_within_odd_bounds_tells_whether_their_number_is_odd(python_dp, scalar, figure):
    """Whole noise is added to a sum of differences from the middle of the bounds, which are halves."""
    draw = mean_of_integers(python_dp, 1)
    found = scalar.judged(scalar.numbers(draw), (1.0, 0.0))
    halves = [int((draw(side, 20_000) == 0.5).sum()) for side in (0, 1)]
    figure(f"claimed 1; epsilon at least {found.least:.3f} in {found.runs} runs; 0.5 in {halves} of 20,000 each")
    assert found.refuted
    assert halves[1] == 0 < halves[0]


def test_a_mean_of_integers_within_even_bounds_passes(python_dp, scalar, figure):
    """The planted opposite: differences from the middle are whole."""
    found = scalar.judged(scalar.numbers(mean_of_integers(python_dp, 2)), (1.0, 0.0))
    figure(f"claimed 1; epsilon at least {found.least:.3f}")
    assert not found.refuted
