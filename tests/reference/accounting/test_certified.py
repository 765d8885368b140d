"""Certified Gaussian decisions: 57 golden floats, an independent ball arithmetic, extremes, inverse questions."""

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import MPContext

from dpspin.accounting import certified
from dpspin.accounting.certified import enclose, least, tight_delta, tight_epsilon, told, units
from dpspin.accounting.gaussian import analytic_sigma, estimate, meets
from dpspin.errors import UsageError

GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text())
SIGMAS = [(Fraction(e), Fraction(d), Fraction(s), float.fromhex(h)) for e, d, s, h in GOLDEN["sigma"]]
GRID = list(product(
    ("0.01", "0.05", "0.1", "0.3", "0.5", "1", "1.5", "2", "3", "5", "8", "10", "15", "20", "40"),
    ("0.9", "0.1", "1e-2", "1e-4", "1e-5", "1e-6", "1e-9", "1e-12", "1e-40"),
))  # fmt: skip
LOSSES = [Fraction(x) for x in "1/4 1/3 1/2 2/3 3/4 1 7/4 7/3 2 3".split()]
STANDING = [(p, top, loss) for p in (3, 4) for top, loss in (
    (32, 2**p), (32, 3 * 2**p), (32, 2**p + 3), (0, 2 ** (p - 1)), (0, 3), (0, 1), (1, 2**p + 3),
)]  # fmt: skip
INNER = [(x, Fraction(n, d), *row) for x in LOSSES for n in (1, 2, 4, 9) for d in (1, 3, 4) for row in STANDING]
CONTEXT = MPContext()
CONTEXT.dps = 60
TINY = CONTEXT.mpf(10) ** -40  # of what is compared in CONTEXT
SAMPLE = Random(5).sample(GRID, 45)


def real(x):
    return CONTEXT.mpf(x.numerator) / x.denominator


@pytest.fixture(scope="module")
def ball():
    """delta(eps; sigma) in python-flint's ball arithmetic, as (lower, upper) bound compared with a claim."""
    flint = pytest.importorskip("flint", reason="python-flint is not installed")

    def verdict(epsilon, ratio, delta):
        before, flint.ctx.prec = flint.ctx.prec, 1200
        try:
            rational = lambda x: flint.arb(flint.fmpq(x.numerator, x.denominator))  # noqa: E731
            mu, loss, half = rational(ratio).sqrt(), rational(epsilon), flint.arb(2).sqrt()
            tail = lambda x: (x / half).erfc() / 2  # noqa: E731
            value = tail(loss / mu - mu / 2) - loss.exp() * tail(loss / mu + mu / 2)
            claim = rational(delta)
            assert value < claim or value > claim
            return bool(value < claim)
        finally:
            flint.ctx.prec = before

    return verdict


@pytest.mark.parametrize(("epsilon", "delta", "l2_squared", "sigma"), SIGMAS)
def test_the_least_sigma_is_the_golden_float_with_its_witness(epsilon, delta, l2_squared, sigma):
    found = least(epsilon, delta, l2_squared)
    assert (found.sigma, found.below) == (sigma, math.nextafter(sigma, 0))
    assert found.delta.low <= found.delta.high <= delta < found.failing.low <= found.failing.high


@pytest.mark.parametrize(("epsilon", "delta", "digits"), GOLDEN["sigma_star"])
def test_the_real_least_sigma_has_every_golden_digit(epsilon, delta, digits):
    """The forty digits are rounded: a unit more holds, a unit less does not."""
    whole, _, rest = digits.partition(".")
    unit, sigma = Fraction(1, 10 ** len(rest)), Fraction(digits)
    epsilon, delta = Fraction(epsilon), Fraction(delta)
    assert len((whole + rest).lstrip("0")) == 40
    assert told(epsilon, 1 / (sigma + unit) ** 2, delta).high <= delta
    assert told(epsilon, 1 / (sigma - unit) ** 2, delta).low > delta


@pytest.mark.parametrize(("epsilon", "delta"), SAMPLE)
def test_ball_arithmetic_agrees_on_both_verdicts(ball, epsilon, delta):
    epsilon, delta = Fraction(epsilon), Fraction(delta)
    found = least(epsilon, delta, Fraction(2))
    assert ball(epsilon, 2 / Fraction(found.sigma) ** 2, delta)
    assert not ball(epsilon, 2 / Fraction(found.below) ** 2, delta)


def test_ball_arithmetic_agrees_at_random_points(ball):
    random, seen = Random(7), []
    for _ in range(1000):
        epsilon = Fraction(random.randrange(1, 10**6), 10 ** random.randrange(5, 9))
        delta = Fraction(random.randrange(1, 100), 10 ** random.randrange(2, 20))
        near = Fraction(least(epsilon, delta, Fraction(1)).sigma) * (1 + Fraction(random.randrange(-9, 10), 2**54))
        ratio = 1 / near**2
        verdict = told(epsilon, ratio, delta).high <= delta
        assert verdict == ball(epsilon, ratio, delta)
        seen.append(verdict)
    assert min(seen.count(True), seen.count(False)) > 300


@settings(max_examples=60, deadline=None)
@given(
    st.fractions(0, 40, max_denominator=1000),
    st.fractions(Fraction(1, 1000), 100, max_denominator=1000),
    st.sampled_from([8, 20, 64, 200]),
)
def test_an_enclosure_holds_the_value_at_any_number_of_bits(epsilon, ratio, p):
    low, high = units(epsilon, ratio, p)
    value, error = estimate(epsilon, ratio, 120)
    exact = value.context.ldexp(value, p)
    assert low <= exact + error * 2**p
    assert exact - error * 2**p <= high
    if p == 200:
        assert high - low < 2**100


def stand_in_miss(module):
    """The first enclosure that misses, for units around stand-ins that do not round: top - 2 x for Phi(-x), or 1."""
    for epsilon, ratio, p, top, loss in INNER:
        mu = CONTEXT.sqrt(CONTEXT.mpf(ratio.numerator) / ratio.denominator)
        slope = 0 if top == 1 else 2
        near, far = (slope * (real(epsilon) / mu + sign * mu / 2) for sign in (-1, 1))
        module.upper_tail = lambda x, p, top=top, slope=slope: (int((top - slope * x) * 2**p),) * 2
        module.exp_neg = lambda x, p, loss=loss: (loss, loss)
        low, high = module.units(epsilon, ratio, p)
        truth = (top - near) * 2**p - (top - far) * CONTEXT.mpf(4) ** p / loss
        if not low - TINY <= max(truth, 0) or not truth <= high + TINY:
            return epsilon, ratio, p, top, loss
    return None


def changed(old="", new=""):
    """`units` and `_cut` with one piece of source replaced."""
    source = Path(certified.__file__).read_text()
    source = source[source.index("def units") : source.index("def upper_tail")]
    assert old in source
    module = ModuleType("changed")
    module.__dict__.update(vars(certified))
    exec(source.replace(old, new, 1), module.__dict__)
    return module


def test_no_rounding_of_an_enclosure_misses():
    assert stand_in_miss(changed()) is None


@pytest.mark.parametrize(("old", "new"), [
    ("Fraction(mu + 1, 1 << p)", "Fraction(mu, 1 << p)"), (" + Fraction(1, 1 << p)\n", "\n"),
    ("_cut(epsilon / mu_high, p)", "(_cut(epsilon / mu_high, p) + Fraction(1, 1 << p))"),
    ("(-far[1] << p) // loss_low", "-((far[1] << p) // loss_low)"),
    ("- (far[0] << p) // loss_high", "+ (-far[0] << p) // loss_high"), ("most - mu_low", "most - mu_high"),
    ("least - mu_high", "least - mu_low"), ("most + mu_high", "most + mu_low"), ("least + mu_low", "least + mu_high"),
])  # fmt: skip
def test_a_rounding_reversed_is_caught(old, new):
    assert stand_in_miss(changed(old, new)) is not None


def test_half_of_a_tail_is_rounded_outwards(monkeypatch):
    monkeypatch.setattr(certified, "normal_tail", lambda x, p: (3, 5))
    assert certified.upper_tail(Fraction(1), 4) == (1, 3)
    assert certified.upper_tail(Fraction(-1), 4) == (13, 15)


@pytest.mark.parametrize(("epsilon", "delta"), [
    ("0", "1e-6"), ("0", "0.5"), ("1e-300", "1e-6"), ("1e-200", "1e-200"), ("1000", "1e-6"), ("1", "1e-200"),
    ("50", "0.999999"), ("1/3", "1/3"),
])  # fmt: skip
@pytest.mark.parametrize("l2_squared", ["1", "2/9", "1e-40", "1e40"])
def test_corners_are_decided(epsilon, delta, l2_squared):
    epsilon, delta, l2_squared = map(Fraction, (epsilon, delta, l2_squared))
    found = least(epsilon, delta, l2_squared)
    assert meets(epsilon, l2_squared / Fraction(found.sigma) ** 2, delta)
    assert not meets(epsilon, l2_squared / Fraction(found.below) ** 2, delta)


@pytest.mark.parametrize(("epsilon", "delta", "l2_squared", "message"), [
    ("1e300", "1e-6", "1", "do not decide"), ("3000", "1e-6", "1", "do not decide"),
    ("1", "1e-999", "1", "do not decide"), ("1", "1e-6", "1e700", "out of the range of binary64"),
    ("1e-300", "1e-300", "1", "out of the range of binary64"),
])  # fmt: skip
def test_what_cannot_be_decided_is_refused(monkeypatch, epsilon, delta, l2_squared, message):
    monkeypatch.setattr(certified, "MOST_BITS", 2048)
    with pytest.raises(UsageError, match=message):
        least(*map(Fraction, (epsilon, delta, l2_squared)))


def test_a_claim_next_to_1_is_decided_or_refused():
    for nines in range(3, 60, 7):
        delta = 1 - Fraction(1, 10**nines)
        try:
            found = least(Fraction(1), delta, Fraction(1))
        except UsageError as error:
            assert "too near 1" in str(error)  # noqa: PT017
        else:
            assert found.delta.high <= delta < found.failing.low


@settings(max_examples=40, deadline=None)
@given(st.fractions(0, 20, max_denominator=100), st.fractions(Fraction(1, 4), 50, max_denominator=100))
def test_the_tight_delta_of_a_sigma_lies_between_its_ends(epsilon, ratio):
    low, high = tight_delta(epsilon, ratio)
    assert 0 < high - low < high / 10**11
    assert meets(epsilon, ratio, high + high / 10**40)
    assert not meets(epsilon, ratio, low - low / 10**40)


@settings(max_examples=25, deadline=None)
@given(st.fractions(Fraction(1, 100), 20, max_denominator=100), st.integers(1, 12))
def test_the_tight_epsilon_of_a_sigma_holds_and_a_smaller_one_fails(ratio, power):
    delta = Fraction(1, 10**power)
    low, high = tight_epsilon(ratio, delta)
    assert meets(high, ratio, delta)
    assert high == 0 or (0 < high - low <= high / 10**12 and not meets(low, ratio, delta))


@pytest.mark.parametrize("proposal", [("0", "1/3"), ("3", "4"), ("1/2", "0")])
def test_a_proposal_that_is_wrong_is_found_out_by_the_enclosures(monkeypatch, proposal):
    ratio, delta = Fraction(1, 9), Fraction(1, 10**5)
    right = tight_epsilon(ratio, delta)
    monkeypatch.setattr(certified, "_proposed", lambda *_: certified.Ends(*map(Fraction, proposal)))
    low, high = tight_epsilon(ratio, delta)
    assert high - low <= high / 10**12
    assert low <= right.high
    assert right.low <= high


def test_the_tight_epsilon_of_a_calibrated_sigma_is_the_claim():
    for epsilon, delta, l2_squared, sigma in SIGMAS[:40:4]:
        low, high = tight_epsilon(l2_squared / Fraction(sigma) ** 2, delta)
        assert low * (1 - Fraction(1, 10**11)) < epsilon < high * (1 + Fraction(1, 10**11))
    assert tight_epsilon(Fraction(1, 10**8), Fraction(1, 10)) == (0, 0)


@pytest.mark.parametrize("power", [45, 300])
def test_an_epsilon_far_below_1_takes_few_decisions(monkeypatch, power):
    """Halving from 1 down to it would take hundreds, of thousands of bits each."""
    asked = []
    monkeypatch.setattr(certified, "told", lambda *of: asked.append(of) or told(*of))
    ratio, delta = Fraction(1, 100**power), Fraction(1, 10 ** (power + 5))
    low, high = tight_epsilon(ratio, delta)
    assert len(asked) < 80
    assert told(high, ratio, delta).high <= delta < told(low, ratio, delta).low
    assert 0 < low < high < low * (1 + Fraction(2, 10**12))


def test_calibration_uses_the_certified_sigma():
    assert (
        analytic_sigma(Fraction(7, 11), Fraction(1, 10**7), Fraction(2))
        == least(Fraction(7, 11), Fraction(1, 10**7), Fraction(2)).sigma
    )


def test_more_bits_are_taken_until_the_ends_are_enough():
    for digits in (5, 50, 300):
        ends = enclose(Fraction(1), Fraction(1, 9), lambda e, n=digits: (e.high - e.low) * 10**n < 1, Fraction(1, 2))
        assert 0 < ends.high - ends.low < Fraction(1, 10**digits)
