"""tmlt.core 0.20.0 must pass.  Every verdict is wrong with probability at most 1e-6."""

import pytest

from dpspin_audits.distribution.trials import Effort

FEW = Effort(pilot=0, training=3000, testing=8000)
DELTA = 1e-5


@pytest.mark.parametrize(("function", "scale"), [("laplace", {"scale": 1}), ("geometric", {"alpha": 1})])
def test_laplace_passes(tmlt, scalar, figure, function, scale):
    draw = scalar.numbers(lambda side, runs: tmlt.ask(function, values=[side], runs=runs, **scale))
    found = scalar.judged(draw, (1.0, 0.0), runs=FEW)
    figure(f"claimed 1; epsilon at least {found.ideal:.3f}, low-order bits {found.bits:.3f}")
    assert not found.refuted


def test_half_the_noise_is_found(tmlt, scalar):
    """The planted fault: a scale of 1/2 where 1 was claimed for."""
    draw = scalar.numbers(lambda side, runs: tmlt.ask("laplace", values=[side], scale="1/2", runs=runs))
    assert "ideal" in scalar.judged(draw, (1.0, 0.0), runs=FEW).refuted


def test_discrete_gaussian_passes(tmlt, scalar, figure):
    epsilon = scalar.gaussian_epsilon(1.0, DELTA) + 0.01  # the discrete law is not the continuous one
    draw = scalar.numbers(lambda side, runs: tmlt.ask("discrete_gaussian", values=[side], sigma_squared=1, runs=runs))
    found = scalar.judged(draw, (epsilon, DELTA), runs=FEW)
    figure(f"claimed ({epsilon:.3f}, {DELTA}); epsilon at least {found.least:.3f}")
    assert not found.refuted
