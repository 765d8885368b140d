"""The exact delta of Laplace noise: golden digits, sums over every point, and the worst vector among many."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import MPContext

from dpspin.accounting import laplace
from dpspin.accounting.laplace import LatticeLaplace, RealLaplace, coordinates_of

GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text())
CONTEXT = MPContext()
CONTEXT.dps = 50
SHORT = st.fractions(0, 4, max_denominator=20)


def real(x):
    return CONTEXT.mpf(x.numerator) / x.denominator


def within(ends, truth, error=0):
    return real(ends.low) - error <= truth <= real(ends.high) + error


def summed(shifts, scale, epsilon):
    """delta as the sum over every lattice point: beyond all shifts the ratio is constant, and the tails are geometric.

    In one coordinate the two tails are one class each; the inner points are their own.
    """
    a, loss = CONTEXT.exp(-1 / real(scale)), CONTEXT.exp(real(epsilon))
    weight = (1 - a) / (1 + a)

    def classes(shift):
        """(P under the moved law, P under the other): each tail, and each point between."""
        inner = [(weight * a ** abs(x - shift), weight * a ** abs(x)) for x in range(1, shift)]
        return [(a**shift / (1 + a), 1 / (1 + a)), *inner, (1 / (1 + a), a**shift / (1 + a))]

    total = CONTEXT.mpf(0)
    for chosen in product(*map(classes, shifts)):
        moved, other = CONTEXT.mpf(1), CONTEXT.mpf(1)
        for p, q in chosen:
            moved, other = moved * p, other * q
        total += max(moved - loss * other, 0)
    return total


@pytest.mark.parametrize(("epsilon", "rate", "shift", "delta"), GOLDEN["discrete_laplace"])
def test_discrete_noise_has_the_golden_digits(epsilon, rate, shift, delta):
    ends = LatticeLaplace(int(shift), 1 / Fraction(rate), 1).delta(Fraction(epsilon))
    assert ends.high - ends.low < Fraction(1, 10**100)
    assert within(ends, CONTEXT.mpf(delta), CONTEXT.mpf(10) ** -40)


@pytest.mark.parametrize(("epsilon", "scale", "shift", "delta"), GOLDEN["laplace"])
def test_real_valued_noise_has_the_golden_digits(epsilon, scale, shift, delta):
    ends = RealLaplace(Fraction(shift) / Fraction(scale), 1).delta(Fraction(epsilon))
    assert within(ends, CONTEXT.mpf(delta), CONTEXT.mpf(10) ** -39)


@settings(max_examples=60)
@given(st.integers(1, 7), st.fractions(Fraction(1, 4), 9, max_denominator=12), SHORT, st.sampled_from([1, 2]))
def test_discrete_noise_is_the_sum_over_every_point(shift, scale, epsilon, coordinates):
    noise = LatticeLaplace(shift, scale, coordinates)
    truth = summed([shift] * coordinates, scale, epsilon)
    assert within(noise.delta(epsilon), truth, CONTEXT.mpf(10) ** -45)
    assert (epsilon >= noise.pure) == (truth < CONTEXT.mpf(10) ** -45)


@settings(max_examples=40)
@given(
    st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any),
    st.fractions(Fraction(1, 2), 6, max_denominator=6), SHORT,
)  # fmt: skip
def test_no_vector_is_worse_than_one_coordinate_that_moves_by_all_of_it(shifts, scale, epsilon):
    worst = LatticeLaplace(sum(shifts), scale, 1).delta(epsilon).high
    assert summed([shift for shift in shifts if shift], scale, epsilon) <= real(worst) + CONTEXT.mpf(10) ** -45


@pytest.mark.parametrize("others", [(4,), (1, 3), (2, 2), (1, 1, 2)])
@pytest.mark.parametrize("epsilon", ["0", "1/2", "1"])
def test_under_replacement_two_coordinates_that_move_by_the_bound_are_the_worst(others, epsilon):
    """One unit of mass 4 leaves one atom, another of mass 4 comes to others."""
    epsilon, scale = Fraction(epsilon), Fraction(3)
    worst = LatticeLaplace(4, scale, 2).delta(epsilon).high
    assert summed([4, *others], scale, epsilon) <= real(worst)


def test_real_noise_is_the_limit_of_a_finer_lattice():
    for coordinates, epsilon in product((1, 2), (Fraction(0), Fraction(1, 3), Fraction(9, 10))):
        limit = RealLaplace(Fraction(1), coordinates).delta(epsilon)
        errors = [
            LatticeLaplace(n, Fraction(n), coordinates).delta(epsilon).low - limit.high for n in (2**4, 2**8, 2**20)
        ]
        assert all(error > -Fraction(1, 10**100) for error in errors)
        assert errors[2] < Fraction(1, 10**11)
        assert errors[0] > 100 * errors[1]


def test_two_coordinates_of_real_noise_agree_with_an_integral_over_the_plane():
    grid = np.linspace(-25, 25, 2501)
    step = grid[1] - grid[0]
    for shift, epsilon in ((1.0, 0.5), (2.0, 1.0)):
        moved, other = (np.exp(-abs(grid - by)) / 2 * step for by in (shift, 0.0))
        gain = np.maximum(np.outer(moved, moved[::-1]) - np.exp(epsilon) * np.outer(other, other[::-1]), 0).sum()
        found = RealLaplace(Fraction(shift), 2).delta(Fraction(epsilon))
        assert abs(gain - float(found.low)) < 2e-3


@pytest.mark.parametrize(("old", "new"), [
    ("rational(k / 2, BITS)", "rational(k, BITS)"), ("/ 2) + 1\n", "/ 2)\n"), ("k - self.shift - 1", "k - self.shift"),
    ("(ONE - ratio).times(w)", "(ONE - ratio).times(w + 1)"),
    ("epsilon * self.scale / 2) - 1", "epsilon * self.scale / 2)"),
    (".power(2)", ".power(1)"), ("2 * self.shift - w", "self.shift"),
])  # fmt: skip
def test_an_altered_formula_is_caught(old, new):
    source = Path(laplace.__file__).read_text()
    assert old in source
    module = ModuleType("altered")
    exec(source.replace(old, new), module.__dict__)

    def misses():
        for shift, coordinates, epsilon in product((1, 2, 3), (1, 2), (Fraction(0), Fraction(1, 3), Fraction(3, 4))):
            scale = Fraction(2)
            ends = module.LatticeLaplace(shift, scale, coordinates).delta(epsilon)
            yield not within(ends, summed([shift] * coordinates, scale, epsilon), CONTEXT.mpf(10) ** -45)
            limit = module.RealLaplace(Fraction(shift), coordinates).delta(epsilon)
            fine = LatticeLaplace(shift * 2**20, Fraction(2**20), coordinates).delta(epsilon)
            yield abs(limit.low - fine.low) > Fraction(1, 10**9)

    assert any(misses())


@settings(max_examples=40)
@given(st.integers(1, 5), st.fractions(Fraction(1, 3), 5, max_denominator=9), SHORT, SHORT, st.sampled_from([1, 2]))
def test_delta_falls_and_is_a_probability(shift, scale, one, other, coordinates):
    noise = LatticeLaplace(shift, scale, coordinates)
    low, high = sorted((one, other))
    assert 0 <= noise.delta(high).low <= noise.delta(low).high <= 1


@pytest.mark.parametrize("noise", [
    RealLaplace(Fraction(10) ** 300, 2), RealLaplace(Fraction(1, 10**300), 1),
    LatticeLaplace(1, Fraction(1, 10**300), 2),
    LatticeLaplace(2**20, Fraction(10) ** 30, 2), LatticeLaplace(10**30, Fraction(1), 1),
])  # fmt: skip
@pytest.mark.parametrize("epsilon", ["0", "1e-300", "1", "1e300"])
def test_extreme_numbers_end_and_give_probabilities(noise, epsilon):
    low, high = noise.delta(Fraction(epsilon))
    assert 0 <= low <= high <= 1


def test_two_coordinates_move_only_under_replacement_and_where_there_are_two():
    assert [coordinates_of(*row) for row in (
        ("add_drop", 5), ("replacement", 5), ("replacement", 1), ("add_drop", 1),
    )] == [1, 2, 1, 1]  # fmt: skip
