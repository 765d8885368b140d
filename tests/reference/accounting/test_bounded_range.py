"""The bounded-range lattice: rounding outwards, known values, real pairs of corpora, and planted faults."""

from fractions import Fraction
from pathlib import Path
from types import ModuleType

import mpmath
import numpy as np
import pytest

from dpspin.accounting import bounded_range
from dpspin.accounting.admission import Admission
from dpspin.accounting.admission import delta as closed_form
from dpspin.accounting.admission import epsilon as closed_epsilon
from dpspin.accounting.bounded_range import Rounds, delta, epsilon, of_peeling
from dpspin.accounting.value_loss import GaussianLoss
from dpspin.errors import UsageError

CONTEXT = mpmath.MPContext()
CONTEXT.dps = 60
SIXTH = Fraction(1, 10**6)
VALUES = GaussianLoss(Fraction(1, 25))
SOURCE = Path(bounded_range.__file__).read_text()


def real(x):
    return CONTEXT.mpf(x.numerator) / x.denominator


def values_at(x, ratio):
    mu = CONTEXT.sqrt(real(ratio))
    return CONTEXT.ncdf(mu / 2 - x / mu) - CONTEXT.exp(x) * CONTEXT.ncdf(-mu / 2 - x / mu)


def exact(composed, x, n, k, *, upper):
    """The lattice recursion in 60 digits, without any rounding to one side."""
    if k == 0:
        return values_at(x, composed.values.ratio) if composed.values else max(1 - CONTEXT.exp(x), 0)
    step, span = real(composed.width) / n, n + 1 if upper else n
    found = []
    for i in range(span + 1):
        p = (1 - CONTEXT.exp((i - span) * step)) / (1 - CONTEXT.exp(-span * step))
        near, far = (exact(composed, x - loss * step, n, k - 1, upper=upper) for loss in (i, i - span))
        found.append(p * near + (1 - p) * far)
    return max(found)


def is_outward(module, composed, x, slack=-45):
    """Whether both ends lie on their own side of the exact lattice values, and within 2^slack of them."""
    found = module.delta(composed, Fraction(x))
    low, high = (exact(composed, real(Fraction(x)), module.steps(0), composed.rounds, upper=u) for u in (False, True))
    return real(found.low) <= low and high <= real(found.high) <= high * (1 + CONTEXT.mpf(2) ** slack)


@pytest.fixture
def coarse(monkeypatch):
    monkeypatch.setattr(bounded_range, "steps", lambda rounds: 4)


CASES = [
    (Rounds(2, Fraction(1, 2), VALUES), "1/3"), (Rounds(3, Fraction(1), None), "1"), (Rounds(1, Fraction(1, 10)), "0"),
    (Rounds(0, Fraction(1, 2), VALUES), "1/3"),
]  # fmt: skip


@pytest.mark.parametrize(("composed", "x"), CASES)
def test_both_ends_are_rounded_outwards(coarse, composed, x):
    assert is_outward(bounded_range, composed, x)


FAULTS = {
    "values rounded the wrong way": ("inf if upper else -inf", "-inf if upper else inf", 128),
    "rounds rounded down": ("best * (1 + SLACK) + UNDERFLOW", "best * (1 - SLACK)", 128),
    "rounds rounded up": ("best * (1 - SLACK) - UNDERFLOW", "best * (1 + SLACK)", 128),
    "the wrong end": ("value.high if upper else value.low", "value.low if upper else value.high", 44),
}


def changed(source, bits):
    """With so few bits that the ends of an interval differ in binary64, where they are to."""
    module = ModuleType("changed")
    exec(source.replace("BITS = 128", f"BITS = {bits}"), module.__dict__)
    module.steps = lambda rounds: 4
    return module


@pytest.mark.parametrize("fault", FAULTS)
def test_a_rounding_reversed_is_caught(fault):
    found, planted, bits = FAULTS[fault]
    assert found in SOURCE
    honest, mutant = (changed(source, bits) for source in (SOURCE, SOURCE.replace(found, planted)))
    assert all(is_outward(honest, *case, -20) for case in CASES)
    assert not all(is_outward(mutant, *case, -20) for case in CASES)


@pytest.mark.parametrize(("epsilon_", "width", "known"), [
    ("0", "1", "0.2449186624037091292778011314910169575066"),
    ("0.5", "1", "0.07740468631569081150197853808405761016644"),
    ("0.05", "0.1", "0.006405883819745713555253233612169701145517"),
    ("0", "0.1", "0.02499479296842068732300266425889426050212"),
])  # fmt: skip
def test_one_round_holds_the_known_value_between_its_ends(epsilon_, width, known):
    """Values by interval arithmetic (arb); N = 200 leaves two percent between the ends."""
    found = delta(Rounds(1, Fraction(width)), Fraction(epsilon_))
    assert found.low <= Fraction(known) <= found.high <= Fraction(known) * Fraction(103, 100)


@pytest.mark.parametrize(("adjacency", "rounds", "scale"), [
    ("add_drop", 2, "1.9796814567434649"), ("add_drop", 5, "4.323385417286273"),
    ("replacement", 2, "3.95936291348693"), ("replacement", 5, "8.646770834572548"),
])  # fmt: skip
def test_scales_of_the_prototype(adjacency, rounds, scale, monkeypatch):
    """Where a prototype in plain binary64 with 150 steps finds delta = 1e-6 at epsilon 1."""
    monkeypatch.setattr(bounded_range, "steps", lambda _: 150)
    found = delta(of_peeling(Admission(adjacency, rounds, 1 / Fraction(scale))), Fraction(1))
    assert found.high == pytest.approx(1e-6, rel=2e-3)


def test_the_range_doubles_under_replacement_and_one_round_needs_all_of_it():
    """A unit moved from one atom to the other of two: the true delta is above what a single range would allow."""
    a, loss = 1.0, Fraction(1, 2)
    one = Admission("replacement", 1, Fraction(1))
    p = np.exp(a) / (1 + np.exp(a))
    true = max(p - np.exp(float(loss)) * (1 - p), 0)
    assert true <= delta(of_peeling(one), loss).high
    assert true > delta(of_peeling(one)._replace(width=one.per_round), loss).high
    assert of_peeling(Admission("add_drop", 1, Fraction(1))).width == 1


@pytest.mark.parametrize("rounds", [1, 2, 10])
@pytest.mark.parametrize("claim", ["1e-6", "1e-3"])
def test_the_loss_is_certified_and_near(rounds, claim):
    composed = Rounds(rounds, Fraction(1, 10), VALUES)
    found = epsilon(composed, Fraction(claim))
    assert delta(composed, found).low <= Fraction(claim)
    assert delta(composed, found * Fraction(99, 100)).high > Fraction(claim)


@pytest.mark.parametrize(("rounds", "sharper"), [(1, True), (2, True), (10, False), (50, False)])
def test_it_is_sharper_than_the_closed_form_for_two_rounds_at_most(rounds, sharper):
    one = Admission("add_drop", rounds, Fraction(1, 10), VALUES)
    by_range, closed = epsilon(of_peeling(one), SIXTH), closed_epsilon(one, SIXTH)
    assert (by_range < closed) == sharper
    assert by_range > closed * Fraction(99, 100)


def test_admission_alone_is_never_below_the_closed_form():
    """Peeling is one of the mechanisms that the lattice bounds, and the closed form is attained under add/drop."""
    for rounds in (1, 3, 8):
        one = Admission("add_drop", rounds, Fraction(1, 5))
        assert closed_form(one, Fraction(1, 4)).low <= delta(of_peeling(one), Fraction(1, 4)).high


def test_a_loss_of_nothing():
    assert epsilon(Rounds(1, Fraction(1, 10), VALUES), Fraction(99, 100)) == 0


@pytest.mark.parametrize(("composed", "claim"), [
    (Rounds(3, Fraction(1, 10), GaussianLoss(Fraction(10**4))), SIXTH),
    (Rounds(3, Fraction(1, 10**9), VALUES), SIXTH), (Rounds(3, Fraction(10**300), VALUES), SIXTH),
    (Rounds(3, Fraction(1, 10**300), VALUES), SIXTH),
])  # fmt: skip
def test_what_would_take_too_long_is_refused(composed, claim):
    with pytest.raises(UsageError):
        epsilon(composed, claim)


def test_too_many_rounds_are_refused():
    with pytest.raises(UsageError, match="at most 100"):
        of_peeling(Admission("add_drop", 101, Fraction(1)))
