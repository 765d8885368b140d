"""diffprivlib 0.6.6: what must be found, and what must pass.  Every verdict is wrong with probability at most 1e-6."""

import pytest

from dpspin_audits.distribution.trials import Effort

SLOW = Effort(pilot=0, training=400, testing=800)
MANY = Effort(pilot=0, training=20_000, testing=60_000)
WHOLE_RUNS = Effort(pilot=0, training=2000, testing=6000)
GAUSSIAN = {"epsilon": 0.9, "delta": 1e-5, "sensitivity": 1}


def shifted(diffprivlib, mechanism, number=float, **terms):
    """The mechanism around 0 and around 1."""
    return lambda side, runs: diffprivlib.ask("noisy", mechanism=mechanism, values=[number(side)], runs=runs, **terms)


@pytest.mark.parametrize(
    "case",
    [
        ("Laplace", {"epsilon": 1, "sensitivity": 1}, 1.0),
        ("Gaussian", GAUSSIAN, 5.4),
        ("GaussianAnalytic", GAUSSIAN, 4.0),
    ],
    ids=lambda case: case[0],
)
def test_issue_94_low_order_bits_tell_what_noise_was_added_to(diffprivlib, scalar, figure, case):
    mechanism, terms, scale = case
    draw = scalar.numbers(shifted(diffprivlib, mechanism, **terms))
    found = scalar.judged(draw, (terms["epsilon"], terms.get("delta", 0.0)), scale=scale)
    figure(f"claimed {terms}; epsilon at least {found.bits:.3f} from low-order bits, {found.ideal:.3f} without them")
    assert found.refuted == ("bits",)


UNIT = {"sensitivity": 1}
FLOATS = [
    ("LaplaceTruncated", (1, 0), {"epsilon": 1, "lower": -5, "upper": 5}),
    ("LaplaceFolded", (1, 0), {"epsilon": 1, "lower": 0, "upper": 1}),
    ("LaplaceBoundedDomain", (1, 0), {"epsilon": 1, "lower": 0, "upper": 1}),
    ("LaplaceBoundedNoise", (1, 0.1), {"epsilon": 1, "delta": 0.1}),
    ("Staircase", (1, 0), {"epsilon": 1}),
    ("Uniform", (0, 0.2), {"delta": 0.2}),
]


@pytest.mark.parametrize("case", FLOATS, ids=lambda case: case[0])
def test_low_order_bits_of_every_other_float_mechanism_tell_it_too(diffprivlib, scalar, figure, case):
    """The same fault as issue 94, in mechanisms that it does not name."""
    mechanism, point, terms = case
    draw = scalar.numbers(shifted(diffprivlib, mechanism, **terms | UNIT))
    terms = {"scale": 2.5, "runs": MANY} if mechanism == "Uniform" else {}
    found = scalar.judged(draw, point, **terms)
    figure(f"claimed {point}; epsilon at least {found.bits:.3f} from low-order bits, {found.ideal:.3f} without them")
    assert found.refuted == ("bits",)


WHOLE = [
    ("GeometricTruncated", (1, 0), {"epsilon": 1, "lower": 0, "upper": 3} | UNIT),
    ("GeometricFolded", (1, 0), {"epsilon": 1, "lower": 0, "upper": 3} | UNIT),
    ("GaussianDiscrete", (1, 1e-3), {"epsilon": 1, "delta": 1e-3} | UNIT),
    ("Binary", (1, 0), {"epsilon": 1, "value0": "0", "value1": "1"}),
]


@pytest.mark.parametrize("case", WHOLE, ids=lambda case: case[0])
def test_mechanisms_on_integers_and_answers_pass(diffprivlib, scalar, figure, case):
    mechanism, point, terms = case
    draw = scalar.numbers(shifted(diffprivlib, mechanism, str if mechanism == "Binary" else int, **terms))
    found = scalar.judged(draw, point, runs=WHOLE_RUNS)
    figure(f"claimed {point}; epsilon at least {found.least:.3f}")
    assert not found.refuted


def test_issue_105_the_upper_bound_of_a_column_gets_no_noise(diffprivlib, scalar, figure):
    def draw(side, runs):
        asked = {"epsilon": 1.0, "lower": 0.0, "upper": 100.0, "runs": runs}
        return diffprivlib.ask("regression_coefficient", x=[100.0 * side], **asked)

    found = scalar.judged(scalar.numbers(draw), (1.0, 0.0), runs=SLOW)
    released = sorted({float(value) for side in (0, 1) for value in draw(side, 20).ravel()})
    figure(f"claimed epsilon 1; epsilon at least {found.least:.3f} in {found.runs} runs; released {released}")
    assert "ideal" in found.refuted


def test_a_column_with_equal_bounds_on_both_sides_passes(diffprivlib, scalar):
    """The fault is in the upper bound alone: with bounds -1 and 1 the noise is right, low-order bits left aside."""

    def draw(side, runs):
        return diffprivlib.ask("regression_coefficient", x=[float(side)], epsilon=3.0, lower=-1.0, upper=1.0, runs=runs)

    assert "ideal" not in scalar.judged(scalar.numbers(draw), (3.0, 0.0)).refuted


def test_snapping_passes(diffprivlib, scalar, figure):
    terms = {"epsilon": 1, "sensitivity": 1, "lower": -50, "upper": 50}
    found = scalar.judged(scalar.numbers(shifted(diffprivlib, "Snapping", **terms)), (1.0, 0.0))
    figure(f"claimed 1; epsilon at least {found.ideal:.3f}, low-order bits {found.bits:.3f}")
    assert not found.refuted


def test_half_of_what_snapping_claims_is_refuted(diffprivlib, scalar):
    """The planted fault: the pair is telling."""
    terms = {"epsilon": 1, "sensitivity": 1, "lower": -50, "upper": 50}
    assert scalar.judged(scalar.numbers(shifted(diffprivlib, "Snapping", **terms)), (0.5, 0.0)).refuted


def test_geometric_passes(diffprivlib, scalar, figure):
    found = scalar.judged(scalar.numbers(shifted(diffprivlib, "Geometric", int, epsilon=1, sensitivity=1)), (1.0, 0.0))
    figure(f"claimed 1; epsilon at least {found.least:.3f}")
    assert not found.refuted


@pytest.mark.parametrize("mechanism", ["Exponential", "PermuteAndFlip"])
def test_selection_passes(diffprivlib, scalar, figure, mechanism):
    def draw(side, runs):
        utility = [1.0, -1.0] if side else [0.0, 0.0]
        return diffprivlib.ask("chosen", mechanism=mechanism, utility=utility, epsilon=2.0, sensitivity=1.0, runs=runs)

    found = scalar.judged(scalar.answers(draw), (2.0, 0.0), atoms=2, centres=((), ()))
    figure(f"claimed 2; epsilon at least {found.least:.3f}")
    assert not found.refuted
