"""opendp 0.16.0: what must be found, and what must pass.  Every verdict is wrong with probability at most 1e-6."""

from collections import Counter

import numpy as np
import pytest

from dpspin_audits.distribution.trials import Effort

FEW = Effort(pilot=0, training=2000, testing=6000)
SLOW = Effort(pilot=0, training=400, testing=800)
DELTA = 1e-5


def shifted(opendp, function, **terms):
    return lambda side, runs: opendp.ask(function, values=[float(side)], runs=runs, **terms)


def test_issue_2922_a_key_of_one_record_is_kept_more_often_than_delta_says(opendp, scalar, figure):
    terms = {"scale": 1.0, "threshold": 5}
    epsilon, delta = opendp.ask("threshold_loss", **terms)
    runs = Effort(pilot=0, training=40_000, testing=160_000)

    def draw(side, runs):
        return opendp.ask("threshold_kept", runs=runs, **terms) if side else np.zeros((runs, 1), np.int64)

    found = scalar.judged(scalar.answers(draw), (epsilon, delta), atoms=2, centres=((), ()), runs=runs)
    kept = int(draw(1, 100_000).sum())
    figure(f"claimed ({epsilon}, {delta:.6f}); kept {kept} of 100,000; epsilon at least {found.least:.3f}")
    assert found.refuted


def test_a_larger_delta_would_have_been_right(opendp, scalar):
    """The planted opposite: at the delta of a correct tail, P(noise >= 4), the same mechanism passes."""
    step = np.exp(-1.0)
    right = step**4 / (1 + step)  # P(x >= 4) of P(x) ~ exp(-|x|)
    runs = Effort(pilot=0, training=40_000, testing=160_000)

    def draw(side, runs):
        terms = {"scale": 1.0, "threshold": 5}
        return opendp.ask("threshold_kept", runs=runs, **terms) if side else np.zeros((runs, 1), np.int64)

    assert not scalar.judged(scalar.answers(draw), (1.0, right), atoms=2, centres=((), ()), runs=runs).refuted


def test_issue_2939_a_count_that_depends_on_a_nan_is_charged_nothing(opendp, scalar, figure):
    epsilon = opendp.ask("nan_count_epsilon")
    draw = scalar.answers(lambda side, runs: opendp.ask("nan_count", nans=1 - side, runs=runs) - 15)
    found = scalar.judged(draw, (epsilon, 0.0), atoms=2, centres=((), ()), runs=SLOW)
    figure(f"claimed epsilon {epsilon}; epsilon at least {found.least:.3f} in {found.runs} runs")
    assert epsilon == 0
    assert found.refuted


def test_issue_2950_one_more_point_changes_every_prediction(opendp, figure):
    """Exact, without a statistic: pairs are matched in a fixed order where all points are the same."""
    claimed = opendp.ask("theil_sen_stability")
    before = [[1.0, 1.0], [2.0, 3.0]]
    after = [[9.0, 3.0], *before]
    changed = []
    for _ in range(40):  # pairs are drawn at random
        left, right = (Counter(map(tuple, opendp.ask("theil_sen", rows=rows).tolist())) for rows in (before, after))
        changed.append(((left - right) + (right - left)).total())
    figure(f"claimed stability {claimed}; predictions that change: {sorted(set(changed))}")
    assert claimed == 1
    assert max(changed) == 2


@pytest.mark.parametrize("whole", [True, False], ids=["integers", "floats"])
def test_laplace_passes(opendp, scalar, whole, figure):
    epsilon = opendp.ask("laplace_epsilon", scale=1.0)
    found = scalar.judged(scalar.numbers(shifted(opendp, "laplace", scale=1.0, whole=whole)), (epsilon, 0.0), runs=FEW)
    figure(f"claimed {epsilon}; epsilon at least {found.ideal:.3f}, low-order bits {found.bits:.3f}")
    assert not found.refuted


def test_half_the_noise_is_found(opendp, scalar):
    """The planted fault: the same draw at half of the scale that was claimed for."""
    draw = scalar.numbers(shifted(opendp, "laplace", scale=0.5, whole=False))
    assert "ideal" in scalar.judged(draw, (1.0, 0.0), runs=FEW).refuted


def test_gaussian_passes(opendp, scalar, figure):
    """rho of zCDP gives mu = sqrt(2 rho), and the promise is the epsilon of that Gaussian law at delta = 1e-5."""
    rho = opendp.ask("gaussian_rho", scale=1.0)
    epsilon = scalar.gaussian_epsilon((2 * rho) ** 0.5, DELTA)
    draw = scalar.numbers(shifted(opendp, "gaussian", scale=1.0, whole=False))
    found = scalar.judged(draw, (epsilon, DELTA), runs=FEW)
    figure(f"rho {rho}, so ({epsilon:.4f}, {DELTA}); low-order bits {found.bits:.3f}")
    assert rho == 0.5
    assert not found.refuted


def scores(side):
    """Every score moves by at most one."""
    return [1, -1] if side else [0, 0]


def test_noisy_max_passes(opendp, scalar, figure):
    epsilon = opendp.ask("noisy_max_loss", scale=1.0, measure="pure")
    asked = {"scale": 1.0, "measure": "pure"}
    draw = scalar.answers(lambda side, runs: opendp.ask("noisy_max", scores=scores(side), runs=runs, **asked))
    found = scalar.judged(draw, (epsilon, 0.0), atoms=2, centres=((), ()), runs=FEW)
    figure(f"claimed {epsilon}; epsilon at least {found.ideal:.3f}")
    assert not found.refuted
    assert scalar.judged(draw, (epsilon / 2, 0.0), atoms=2, centres=((), ()), runs=FEW).refuted, "the pair is telling"


def test_top_k_passes(opendp, scalar, figure):
    terms = {"k": 2, "scale": 2.0, "measure": "pure"}
    epsilon = opendp.ask("top_k_loss", **terms)

    def draw(side, runs):
        moved = [1, 1, -1, -1] if side else [0, 0, 0, 0]
        return opendp.ask("top_k", scores=moved, runs=runs, **terms)

    found = scalar.judged(scalar.answers(draw), (epsilon, 0.0), atoms=4, centres=((), ()), runs=FEW)
    figure(f"claimed {epsilon}; epsilon at least {found.ideal:.3f}")
    assert not found.refuted


def test_issue_2911_under_zcdp_the_exponential_mechanism_is_drawn(opendp, scalar, figure):
    """The closed report: permute-and-flip under zCDP would exceed rho.  What is drawn under zCDP does not."""
    rho = opendp.ask("noisy_max_loss", scale=1.0, measure="zcdp")

    def divergence(measure):
        asked = {"scale": 1.0, "measure": measure, "runs": 20_000}
        left, right = (opendp.ask("noisy_max", scores=scores(side), **asked) for side in (0, 1))
        return scalar.divergence_at_least(left, right, answers=2, order=2)

    drawn, other = divergence("zcdp"), divergence("pure")
    figure(f"rho {rho} allows a divergence of {2 * rho} at order 2; at least {drawn:.3f}, permute-and-flip {other:.3f}")
    assert drawn <= 2 * rho < other


def test_randomized_response_passes(opendp, scalar, figure):
    epsilon = opendp.ask("randomized_response_epsilon", prob=0.7)

    def draw(side, runs):
        return opendp.ask("randomized_response", answer=side, prob=0.7, runs=runs)

    found = scalar.judged(scalar.answers(draw), (epsilon, 0.0), atoms=3, centres=((), ()), runs=FEW)
    figure(f"claimed {epsilon:.4f}; epsilon at least {found.least:.3f}")
    assert not found.refuted
    low = scalar.judged(scalar.answers(draw), (epsilon / 2, 0.0), atoms=3, centres=((), ()), runs=FEW)
    assert low.refuted, "the pair is telling"


def test_bounded_geometric_passes(opendp, scalar, figure):
    draw = scalar.numbers(shifted(opendp, "bounded_geometric", scale=1.0, bounds=[0, 3]))
    found = scalar.judged(draw, (1.0, 0.0), runs=FEW)
    figure(f"claimed 1; epsilon at least {found.least:.3f}")
    assert not found.refuted


def test_canonical_noise_passes(opendp, scalar, figure):
    draw = scalar.numbers(shifted(opendp, "canonical_noise", epsilon=1.0, delta=DELTA))
    found = scalar.judged(draw, (1.0, DELTA), runs=FEW)
    figure(f"claimed (1, {DELTA}); epsilon at least {found.ideal:.3f}, low-order bits {found.bits:.3f}")
    assert not found.refuted
