"""Questions to curves: readings, sums of claims, groups, what is refused."""

from fractions import Fraction

import pytest

from dpspin.accounting.certified import least
from dpspin.accounting.composition import Composition
from dpspin.accounting.curve import GaussianCurve
from dpspin.accounting.guarantee import Guarantee, order
from dpspin.accounting.laplace import RealLaplace
from dpspin.errors import UsageError
from dpspin_audits.curves import LEAST, Built, Question, Release, answered, mu_of

MILLIONTH = Fraction(1, 10**6)


def release(curve, unit="record", adjacency="add_drop", claimed=None, built=None):
    promise = claimed and Guarantee(*map(Fraction, claimed), unit, adjacency)
    paid = built and Built(built[0], Guarantee(*map(Fraction, built[1:]), unit, adjacency))
    return Release("one", curve, unit, adjacency, promise, paid)


def ask(*deltas, records=1, asked=False):
    return Question(tuple(map(Fraction, deltas)), records, asked)


LAPLACE, GAUSSIAN = RealLaplace(Fraction(1), 1), GaussianCurve(Fraction(1, 16))


def test_one_release_keeps_its_curve_and_has_no_second_line():
    answer = answered([release(LAPLACE, claimed=("1", "0"))], ask("1e-6", "0"))
    assert (answer.whole, answer.attained, len(answer.places)) == (LAPLACE, True, 1)
    assert answer.claimed == Guarantee(Fraction(1), Fraction(0), "record", "add_drop")
    assert [row.epsilon.high <= 1 for row in answer.readings] == [True, True]
    assert answer.places[0][-1] == (1, (0, 0))


def test_several_are_composed_and_each_is_drawn():
    answer = answered([release(LAPLACE), release(GAUSSIAN)], ask("1e-6"))
    assert isinstance(answer.whole, Composition)
    assert (answer.attained, len(answer.places), answer.claimed) == (False, 3, None)
    assert answer.places[0][-1].delta.high <= LEAST


def test_claims_are_added_for_one_unit_and_grow_for_several():
    claims = [release(LAPLACE, claimed=("1", "0")), release(GAUSSIAN, claimed=("1", "1e-6"))]
    assert answered(claims, ask("1e-6")).claimed == Guarantee(Fraction(2), MILLIONTH, "record", "add_drop")
    two = answered(claims, ask("1e-6", records=2)).claimed
    assert two.epsilon == 4
    assert abs(float(two.delta) / 3.718281828e-6 - 1) < 1e-5  # 1 + e, in millionths


def test_delta_0_has_no_loss_under_gaussian_noise_and_the_reading_says_so():
    (row,) = answered([release(GAUSSIAN)], ask("0")).readings
    assert (row.epsilon, "no loss" in row.why_none) == (None, True)


@pytest.mark.parametrize("other", [release(LAPLACE, unit="user"), release(LAPLACE, adjacency="replacement")])
def test_releases_that_protect_different_things_are_refused(other):
    with pytest.raises(UsageError, match="different promises"):
        answered([release(GAUSSIAN), other], ask("1e-6"))


@pytest.mark.parametrize("delta", ["1", "2", "-1"])
def test_a_delta_that_is_none_is_refused(delta):
    with pytest.raises(UsageError, match="not from 0 to below 1"):
        answered([release(GAUSSIAN)], ask(delta))


def test_opinions_are_asked_only_where_wanted_and_possible():
    assert answered([release(LAPLACE)], ask("1e-6")).readings[0].opinions == ()
    (row,) = answered([release(LAPLACE)], ask("1e-6", asked=True)).readings
    assert [one.tool for one in row.opinions] == ["dp-accounting PLD", "dp-accounting RDP"]
    peeled = Composition((Fraction(1),), Fraction(0))
    (row,) = answered([release(peeled)], ask("1e-6", asked=True)).readings
    assert (row.opinions, "peeling" in row.silent) == ((), True)


def test_mu_is_rounded_up():
    assert mu_of(Fraction(1, 4)) == Fraction(1, 2)
    root = mu_of(Fraction(2))
    assert root**2 > 2 > (root - Fraction(1, 10**12)) ** 2


def test_the_curve_is_read_at_the_delta_of_the_sum():
    nine = [release(GAUSSIAN, claimed=("1.0608", "1e-6"))] * 9
    answer = answered(nine, ask("1e-6"))
    assert (answer.beside.delta, answer.claimed.delta) == (9 * MILLIONTH, 9 * MILLIONTH)
    assert answer.whole.delta(answer.beside.epsilon).high <= answer.claimed.delta
    assert order(answer.beside, answer.claimed) == "stronger"
    one = answered([release(LAPLACE, claimed=("1", "0"))], ask("1e-6"))
    assert order(one.beside, one.claimed) == "equal"
    false = answered([release(LAPLACE, claimed=("1/2", "0"))], ask("1e-6"))
    assert order(false.beside, false.claimed) == "weaker"
    assert answered([release(GAUSSIAN, claimed=("1", "0"))], ask("1e-6")).beside is None


def test_rounding_does_not_carry_the_curve_beyond_a_claim_that_holds():
    sigma = Fraction(least(Fraction(1), MILLIONTH, Fraction(1)).sigma)
    answer = answered([release(GaussianCurve(1 / sigma**2), claimed=("1", "1e-6"))], ask("1e-6"))
    assert order(answer.beside, answer.claimed) in {"equal", "stronger"}


def test_universes_are_added_once_each_and_never_to_the_curve():
    def over(*built):
        return release(LAPLACE, claimed=("1", "0"), built=built)

    plain = answered([release(LAPLACE, claimed=("1", "0"))] * 2, ask("1e-6"))
    assert (plain.built, plain.exposed) == (None, plain.claimed)
    same = answered([over("a", "1/2", "1e-6")] * 2, ask("1e-6"))
    assert same.built == Guarantee(Fraction(1, 2), MILLIONTH, "record", "add_drop")
    assert same.exposed == Guarantee(Fraction(5, 2), MILLIONTH, "record", "add_drop")
    assert (same.whole, same.claimed, same.beside) == (plain.whole, plain.claimed, plain.beside)
    more = answered([over("a", "1/2", "1e-6"), over("a", "1", "0"), over("b", "2", "0")], ask("1e-6"))
    assert (more.built.epsilon, more.built.delta) == (3, MILLIONTH)
    pair = answered([over("a", "1/2", "0")], ask("1e-6", records=2))
    assert (pair.built.epsilon, pair.exposed.epsilon) == (1, 3)
