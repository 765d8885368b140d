"""python-dp 1.1.5: what must be found, and what must pass.  Every verdict is wrong with probability at most 1e-6."""

DELTA = 1e-5


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
