"""dp-accounting 0.6.0 and autodp 0.2.3.1 against the exact loss of a Gaussian release; no statistics but where said."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest

from dpspin.accounting.gaussian import tight_delta
from dpspin_audits.distribution.trials import Effort

DELTA = 1e-5
REPLACED = {"accountant": "rdp", "relation": "REPLACE_ONE", "noise_multiplier": 1.0, "delta": DELTA}


def test_issue_378_replacing_a_record_is_charged_as_if_it_moved_the_sum_by_its_norm_once(accounting, figure):
    """Records of norm 1 and noise 1: replacing +1 by -1 moves the sum by 2, so mu is 2."""
    found = accounting.ask("dp_accounting_epsilon", **REPLACED)
    real = tight_delta(Fraction(found), Fraction(4))
    figure(f"said ({found:.4f}, {DELTA}); delta at that epsilon is {float(real):.4f}")
    assert real > 1000 * DELTA


def test_issue_378_by_guesses(accounting, scalar, figure):
    """The same from outputs; wrong with probability at most 1e-6."""
    found = accounting.ask("dp_accounting_epsilon", **REPLACED)
    rng = np.random.default_rng(378)
    sums = (-1.0, 1.0)
    draw = scalar.numbers(lambda side, runs: rng.normal(sums[side], 1.0, (runs, 1)))
    runs = Effort(pilot=0, training=100_000, testing=400_000)
    judged = scalar.judged(draw, (found, DELTA), centres=((-1.0,), (1.0,)), runs=runs)
    figure(f"said ({found:.4f}, {DELTA}); epsilon at least {judged.ideal:.4f} in {judged.runs} runs")
    assert "ideal" in judged.refuted


def laplace_delta(epsilon, moved):
    """Exact, for Laplace noise of scale 1 and a sum that moves so far: 1 - exp((epsilon - moved) / 2), or 0."""
    return max(0.0, 1 - exp((epsilon - moved) / 2))


def test_issue_378_holds_for_laplace_noise_too(accounting, figure):
    """Records of norm 1 and noise of scale 1: replacing +1 by -1 moves the sum by 2, so epsilon is 2."""
    found = accounting.ask("dp_accounting_laplace_epsilon", **REPLACED)
    real = laplace_delta(found, moved=2)
    figure(f"said ({found:.4f}, {DELTA}); delta at that epsilon is {real:.4f}")
    assert real > 1000 * DELTA


@pytest.mark.parametrize("accountant", ["rdp", "pld"])
def test_laplace_noise_under_add_or_remove_is_charged_right(accounting, figure, accountant):
    asked = {"accountant": accountant, "relation": "ADD_OR_REMOVE_ONE"}
    found = accounting.ask("dp_accounting_laplace_epsilon", **REPLACED | asked)
    figure(f"said ({found:.6f}, {DELTA}); delta at that epsilon is {laplace_delta(found, moved=1):.3e}")
    assert laplace_delta(found, moved=1) <= DELTA * (1 + 1e-6)


def test_the_other_accountant_refuses_laplace_noise_under_replacement(accounting):
    assert accounting.ask("dp_accounting_laplace_epsilon", **REPLACED | {"accountant": "pld"}) is None


@pytest.mark.parametrize(("accountant", "relation", "square"), [
    ("rdp", "ADD_OR_REMOVE_ONE", 1), ("pld", "ADD_OR_REMOVE_ONE", 1), ("pld", "REPLACE_ONE", 4),
])  # fmt: skip
def test_the_other_accountants_are_right(accounting, figure, accountant, relation, square):
    asked = {"accountant": accountant, "relation": relation}
    found = accounting.ask("dp_accounting_epsilon", **REPLACED | asked)
    real = float(tight_delta(Fraction(found), Fraction(square)))
    figure(f"said ({found:.4f}, {DELTA}); delta at that epsilon is {real:.3e}")
    assert real <= DELTA * (1 + 1e-6)


@pytest.mark.parametrize("sigma", [0.5, 1.0, 4.0])
def test_autodp_gives_the_exact_gaussian_loss(accounting, figure, sigma):
    found = accounting.ask("autodp_epsilon", sigma=sigma, delta=DELTA)
    real = float(tight_delta(Fraction(found), 1 / Fraction(sigma) ** 2))
    figure(f"sigma {sigma}: said ({found:.6f}, {DELTA}); delta at that epsilon is {real:.6e}")
    assert real == pytest.approx(DELTA, rel=1e-4)
