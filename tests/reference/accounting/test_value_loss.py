"""Means over the loss of noisy values: integrals, known deltas, and discrete noise below its bound."""

from fractions import Fraction

import mpmath
import pytest

from dpspin.accounting.certified import tight_delta
from dpspin.accounting.laplace import LatticeLaplace, RealLaplace
from dpspin.accounting.value_loss import GaussianLoss, LaplaceLoss
from dpspin.errors import UsageError

CONTEXT = mpmath.MPContext()
CONTEXT.dps = 30
BITS = 128
PARTS = [
    ("0", "0", None, "0"), ("1", "0", None, "-1/3"), ("1/2", "-1/5", "-1", "1/2"), ("3/4", "1/7", "-2", "3"),
    ("2/3", "0", "0", "1/9"),
]  # fmt: skip


def real(x):
    return CONTEXT.mpf(x.numerator) / x.denominator


def parts(row):
    slope, offset, low, high = (None if x is None else Fraction(x) for x in row)
    return slope, offset, (low, high)


def holds(found, truth):
    return found.low - 2**40 <= CONTEXT.ldexp(truth, BITS) <= found.high + 2**40 and found.high - found.low < 2**30


@pytest.mark.parametrize("row", PARTS)
@pytest.mark.parametrize(("ratio", "epsilon"), [("1/25", "1"), ("3", "1/2"), ("1/25", "0")])
def test_a_gaussian_mean_is_the_integral(row, ratio, epsilon):
    (slope, offset, (low, high)), ratio, epsilon = parts(row), Fraction(ratio), Fraction(epsilon)
    mu, mean = CONTEXT.sqrt(real(ratio)), real(epsilon - ratio / 2)
    start = mean - 14 * mu if low is None else real(low)

    def weighed(x):
        return CONTEXT.exp(real(slope) * x + real(offset) - ((x - mean) / mu) ** 2 / 2) / (
            mu * CONTEXT.sqrt(2 * CONTEXT.pi)
        )

    nodes = CONTEXT.linspace(start, real(high), 17)
    truth = CONTEXT.quad(weighed, nodes, method="gauss-legendre") if start < real(high) else 0
    assert holds(GaussianLoss(ratio).mean(slope, offset, (low, high), epsilon, BITS), truth)


@pytest.mark.parametrize("row", PARTS)
@pytest.mark.parametrize(("rate", "epsilon"), [("1/3", "1"), ("2", "1/2"), ("1/3", "0")])
def test_a_laplace_mean_is_the_integral_and_two_points(row, rate, epsilon):
    (slope, offset, (low, high)), s, epsilon = parts(row), Fraction(rate), Fraction(epsilon)

    def size(x):
        return CONTEXT.exp(real(slope) * x + real(offset))

    def inside(x):
        return x <= high and (low is None or low < x)

    first, last = max(epsilon - s, epsilon - s if low is None else low), min(high, epsilon + s)
    truth = inside(epsilon - s) * size(real(epsilon - s)) / 2
    truth += inside(epsilon + s) * size(real(epsilon + s)) * CONTEXT.exp(-real(s)) / 2
    if first < last:
        nodes = CONTEXT.linspace(real(first), real(last), 10)
        truth += CONTEXT.quad(lambda x: size(x) * CONTEXT.exp((real(epsilon - s) - x) / 2) / 4, nodes)
    assert holds(LaplaceLoss(s).mean(slope, offset, (low, high), epsilon, BITS), truth)


def hockey_stick(values, epsilon):
    zero, one = Fraction(0), Fraction(1)
    found = values.mean(zero, zero, (None, zero), epsilon, BITS) - values.mean(one, zero, (None, zero), epsilon, BITS)
    return Fraction(found.low, 2**BITS), Fraction(found.high, 2**BITS)


@pytest.mark.parametrize("epsilon", ["0", "1/4", "1"])
def test_values_alone_have_the_known_delta(epsilon):
    epsilon = Fraction(epsilon)
    for (low, high), known in (
        (hockey_stick(GaussianLoss(Fraction(1, 25)), epsilon), tight_delta(epsilon, Fraction(1, 25))),
        (hockey_stick(LaplaceLoss(Fraction(3)), epsilon), RealLaplace(Fraction(3), 1).delta(epsilon)),
    ):
        assert low <= known.high
        assert known.low <= high
        assert high - low < Fraction(1, 10**30)


@pytest.mark.parametrize("coordinates", [1, 2])
def test_discrete_noise_stays_below_the_loss_that_dominates_it(coordinates):
    """A coarse lattice: 7 steps of loss 1/5 in each of one or two coordinates."""
    step, steps = Fraction(1, 5), 7
    bound = LaplaceLoss(coordinates * steps * step, step)
    bare = LaplaceLoss(coordinates * steps * step)
    violated = 0
    for epsilon in (Fraction(n, 40) for n in range(0, 60, 7)):
        true = LatticeLaplace(steps, 1 / step, coordinates).delta(epsilon)
        assert true.low <= hockey_stick(bound, epsilon)[1]
        violated += true.low > hockey_stick(bare, epsilon)[1]
    assert violated > 0 or coordinates == 2  # without the two steps it would not hold


@pytest.mark.parametrize("kind", [GaussianLoss, LaplaceLoss])
@pytest.mark.parametrize("value", [0, -1])
def test_values_that_do_not_move_are_refused(kind, value):
    with pytest.raises(UsageError, match="do not move"):
        kind(Fraction(value))


@pytest.mark.parametrize("value", ["1e-300", "1e300"])
def test_extreme_noise_ends(value):
    for kind in (GaussianLoss, LaplaceLoss):
        low, high = hockey_stick(kind(Fraction(value)), Fraction(1))
        assert 0 <= high <= 1 + Fraction(1, 2**60)
        assert low <= high
