"""Integer enclosures against multiple-precision arithmetic, and the noise floor against its definition."""

from fractions import Fraction
from functools import partial
from math import ceil

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpspin import enclosure
from dpspin.enclosure import (
    exp_neg,
    floor,
    gaussian_floor,
    gaussian_tail,
    laplace_floor,
    laplace_tail,
    normal_tail,
    power,
    sqrt_2_over_pi,
)

RATIONALS = st.fractions(0, 50, max_denominator=10**9) | st.builds(
    lambda n, d, e: Fraction(n, d) * Fraction(10) ** e,
    st.integers(1, 10**9),
    st.integers(1, 10**9),
    st.integers(-40, 40),
)
SCALES = st.builds(
    lambda n, d, e: Fraction(n, d) * Fraction(2) ** e, st.integers(1, 99), st.integers(1, 99), st.integers(-30, 40)
)
BITS = st.sampled_from([1, 8, 64, 126, 254, 600])


def real(x, p=0):
    """2^p x as an mpmath number."""
    return mpmath.ldexp(mpmath.mpf(x.numerator) / x.denominator, p)


def tail(k, scale):
    """P(|X| > k), from the definition of the discrete Laplace law."""
    a = mpmath.exp(-1 / real(Fraction(scale)))
    return 2 * mpmath.exp(-(k + 1) / real(Fraction(scale))) / (1 + a)


def two_sided(x):
    """P(|N(0, 1)| > x)."""
    return mpmath.erfc(real(x) / mpmath.sqrt(2))


def rounded_tail(k, sigma):
    """P(|X| > k) for X = sigma N(0, 1) rounded."""
    return two_sided((k + Fraction(1, 2)) / sigma)


def check_enclosed(found, value, p, width):
    low, high = found
    scaled = mpmath.ldexp(value, p)
    assert low <= scaled <= high
    assert high - low <= width


@given(RATIONALS, BITS)
@example(Fraction(10) ** 30, 64)
@example(Fraction(1, 10**30), 600)
@example(Fraction(0), 64)
@example(Fraction(64), 64)
@example(Fraction(64) + Fraction(1, 10**9), 64)
def test_the_exponential_is_enclosed_tightly(x, p):
    with mpmath.workprec(p + 400):
        check_enclosed(exp_neg(x, p), mpmath.exp(-real(x)), p, 3)


@given(st.integers(0, 10**6), SCALES, BITS)
@example(10**6, Fraction(2**40), 254)
@example(0, Fraction(1, 2**40), 64)
@example(10**30, Fraction(1), 64)
def test_the_tail_is_enclosed_tightly(k, scale, p):
    with mpmath.workprec(p + 400):
        check_enclosed(laplace_tail(k, scale, p), tail(k, scale), p, 12)


@given(RATIONALS, BITS)
@example(Fraction(0), 64)
@example(Fraction(16), 128)  # x^2 / 2 = p: the last x that is summed
@example(Fraction(16) + Fraction(1, 10**9), 128)
@example(Fraction(1, 10**30), 600)
@example(Fraction(10) ** 30, 64)
def test_the_normal_tail_is_enclosed_tightly(x, p):
    with mpmath.workprec(p + 400):
        check_enclosed(normal_tail(x, p), two_sided(x), p, 2)


@given(st.integers(0, 10**6), SCALES, BITS)
@example(10**6, Fraction(2**40), 254)
@example(0, Fraction(1, 2**40), 64)
@example(10**30, Fraction(1), 64)
def test_the_rounded_gaussian_tail_is_enclosed_tightly(k, sigma, p):
    with mpmath.workprec(p + 400):
        check_enclosed(gaussian_tail(k, sigma, p), rounded_tail(k, sigma), p, 2)


FAR = [(0, Fraction(1, 3)), (9, Fraction(1)), (37, Fraction(1)), (50, Fraction(7, 5)), (40 * 2**40, Fraction(2**40))]


def check_digits(tail, expected):
    """60 digits of P(|X| > k), however small it is."""
    for k, sigma in FAR:
        low, high = tail(k, sigma, 1800)
        with mpmath.workdps(700):
            value = expected(k, sigma)
            assert abs(mpmath.ldexp(low, -1800) / value - 1) < mpmath.mpf(10) ** -60
            assert abs(mpmath.ldexp(high, -1800) / value - 1) < mpmath.mpf(10) ** -60


def test_far_tails_have_sixty_digits():
    check_digits(gaussian_tail, rounded_tail)


@pytest.mark.parametrize("fault", [
    lambda k, sigma, p: normal_tail(Fraction(k) / sigma, p),  # the law of a truncated draw
    lambda k, sigma, p: normal_tail(Fraction(k + 1) / sigma, p),
    lambda k, sigma, p: tuple(end // 2 for end in gaussian_tail(k, sigma, p)),  # one side only
])  # fmt: skip
def test_another_tail_is_noticed(fault):
    with pytest.raises(AssertionError):
        check_digits(fault, rounded_tail)


def test_a_constant_in_double_precision_is_noticed(monkeypatch):
    monkeypatch.setattr(enclosure, "sqrt_2_over_pi", lambda p: int((2 / 3.141592653589793) ** 0.5 * 2**60) << (p - 60))
    with pytest.raises(AssertionError):
        check_digits(gaussian_tail, rounded_tail)


@pytest.mark.parametrize("p", [0, 1, 64, 1000, 20_000])
def test_the_constant_is_below_its_value_by_less_than_two(p):
    with mpmath.workprec(p + 100):
        assert 0 < mpmath.ldexp(mpmath.sqrt(2 / mpmath.pi), p) - sqrt_2_over_pi(p) < 2


@given(st.integers(0, 2**40), st.integers(0, 3), st.integers(0, 300), BITS)
def test_powers_are_enclosed(low, width, exponent, p):
    low = low % (1 << p)
    high = min(low + width, 1 << p)
    bottom, top = power(low, high, exponent, p)
    assert bottom <= Fraction(low, 1 << p) ** exponent * (1 << p)
    assert top >= Fraction(high, 1 << p) ** exponent * (1 << p)


@pytest.mark.parametrize(
    "x", [Fraction(10) ** 30, Fraction(10) ** 300, Fraction(1, 10**300), Fraction(10**30, 10**30 - 1)]
)
@pytest.mark.parametrize("p", [64, 4096])
def test_argument_reduction_ends_for_huge_and_tiny_numbers(x, p):
    for low, high in (exp_neg(x, p), normal_tail(x, p)):
        assert 0 <= low <= high <= (1 << p) + 2


def test_ties_and_certainty_are_exact():
    assert exp_neg(Fraction(0), 64) == (1 << 64, 1 << 64)


def check_floor(tau, tail, atoms, beta):
    """tau is the least k with 1 - (1 - P(|X| > k))^atoms <= beta."""
    with mpmath.workdps(400):
        reached = [1 - (1 - tail(k)) ** atoms <= real(beta) for k in (tau - 1, tau) if k >= 0]
        assert reached == ([False, True] if tau > 0 else [True])


def check_least(tau, tail, atoms, beta):
    """The floor keeps its promise, and either neighbour is found out."""
    check_floor(tau, tail, atoms, beta)
    for wrong in (tau + 1, tau - 1):
        if wrong >= 0:
            with pytest.raises(AssertionError):
                check_floor(wrong, tail, atoms, beta)


CASES = [
    (Fraction(scale), atoms, Fraction(beta))
    for scale in ("1/1000", "1/3", "1", "7/2", "1000/7", "1048576", "3495253333/3", "1099511627776")
    for atoms in (1, 2, 46, 200, 10**5)
    for beta in ("0.999", "1/2", "0.05", "1e-6", "1e-100")
]


@pytest.mark.parametrize(("scale", "atoms", "beta"), CASES)
def test_the_noise_floor_is_the_least_integer_that_keeps_the_promise(scale, atoms, beta):
    tau = laplace_floor(scale, atoms, beta)
    check_least(tau, partial(tail, scale=scale), atoms, beta)
    with mpmath.workdps(400):  # spec.md section 6, A.1: the continuous law's quantile
        closed = -real(scale) * mpmath.log(1 - (1 - real(beta)) ** (mpmath.mpf(1) / atoms))
    assert abs(tau - closed) <= 1


@pytest.mark.parametrize(("sigma", "atoms", "beta"), [case for case in CASES if case[1] != 200])
def test_the_gaussian_floor_is_the_least_integer_that_keeps_the_promise(sigma, atoms, beta):
    tau = gaussian_floor(sigma, atoms, beta)
    check_least(tau, partial(rounded_tail, sigma=sigma), atoms, beta)
    with mpmath.workdps(400):  # spec.md section 6, A.2, of the law before rounding
        inside = (1 - real(beta)) ** (mpmath.mpf(1) / atoms)
        closed = real(sigma) * mpmath.sqrt(2) * mpmath.erfinv(inside)  # sigma Phi^-1((1 + inside) / 2)
        assert tau == max(mpmath.ceil(closed - mpmath.mpf(1) / 2), 0)


@given(st.lists(st.integers(0, 99), min_size=1, max_size=20), st.integers(1, 5), st.fractions(0, 1))
@example([1, 0, 99], 3, Fraction(1, 2))
def test_the_floor_of_any_tail_is_the_least_integer(weights, atoms, beta):
    """A finite law given exactly: P(|X| > k) is the share of the weights behind k."""
    beta = min(max(beta, Fraction(1, 1000)), Fraction(999, 1000)) + Fraction(1, 10**9 + 7)  # never a tie
    behind = [Fraction(sum(weights[k + 1 :]), sum(weights) or 1) for k in range(len(weights))]

    def tail(k, p):
        share = behind[k] if k < len(weights) else Fraction(0)
        return int(share * 2**p), -int(-share * 2**p // 1)

    kept = [1 - (1 - share) ** atoms <= beta for share in behind]
    assert floor(tail, atoms, beta) == kept.index(True)


@pytest.mark.parametrize("fault", [
    lambda low, high: (low + 3, high + 3),
    lambda low, high: (low - 3, high - 3),
    lambda low, high: (low, high + 20),
])  # fmt: skip
def test_a_shifted_or_wide_enclosure_is_noticed(fault):
    with mpmath.workprec(500), pytest.raises(AssertionError):
        check_enclosed(fault(*exp_neg(Fraction(1, 3), 64)), mpmath.exp(-real(Fraction(1, 3))), 64, 3)


def test_inward_rounding_of_powers_is_noticed():
    low, p = 2**63 + 12345, 64
    inward = low
    for _ in range(99):
        inward = ceil(inward * low / 2**p)
    assert inward > Fraction(low, 1 << p) ** 100 * (1 << p)
    assert power(low, low, 100, p)[0] <= Fraction(low, 1 << p) ** 100 * (1 << p)


def test_an_undecidable_quantile_is_reported(monkeypatch):
    monkeypatch.setattr(enclosure, "laplace_tail", lambda k, scale, p: (0, 1 << p))
    with pytest.raises(enclosure.ImpossibleError):
        laplace_floor(Fraction(1), 1, Fraction(1, 2))
