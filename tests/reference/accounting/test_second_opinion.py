"""dp-accounting's opinion of ours, and what it gets wrong, pinned so that a mended version is noticed."""

import math
from fractions import Fraction

import dp_accounting
import pytest
from dp_accounting.gaussian_mechanism import get_sigma_gaussian
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant

from dpspin.accounting import second_opinion as opinion
from dpspin.accounting.certified import Ends, least, tight_epsilon, told
from dpspin.accounting.composition import Composition
from dpspin.accounting.cost import Alternative, Cost
from dpspin.accounting.curve import GaussianCurve, compose, epsilon_at
from dpspin.accounting.gaussian import analytic_sigma
from dpspin.accounting.laplace import LatticeLaplace, RealLaplace
from dpspin.accounting.second_opinion import UNEXPLAINED, Asked, note, opinions, unasked, unasked_of

RELATION = dp_accounting.NeighboringRelation
MILLIONTH = Fraction(1, 10**6)


def pure(epsilon):
    return Cost(Fraction(epsilon), Fraction(0), "")


def gaussian(epsilon, delta="1e-6", factor=1):
    claim = Fraction(epsilon), Fraction(delta)
    sigma = Fraction(analytic_sigma(*claim, Fraction(1)))
    return Cost(*claim, "", (), factor * sigma**2)


@pytest.mark.parametrize("epsilon", ["1/10", "1", "8"])
def test_it_agrees_on_laplace_noise(epsilon):
    found = opinion.second_opinion(pure(epsilon))
    assert (found.tool, found.note) == ("dp-accounting", "agrees with ours")
    assert abs(found.epsilon - float(Fraction(epsilon))) < 1e-9
    assert abs(found.epsilon - 2 * float(Fraction(epsilon))) > 1e-3


@pytest.mark.parametrize(("epsilon", "delta"), [("0.1", "1e-10"), ("1", "1e-5"), ("8", "1e-6"), ("0.5", "0.1")])
def test_it_agrees_on_gaussian_noise(epsilon, delta):
    found = opinion.second_opinion(gaussian(epsilon, delta))
    assert abs(found.epsilon - float(epsilon)) < 1e-6
    assert found.note == "agrees with ours"
    other = opinion.second_opinion(gaussian(epsilon, delta, Fraction(1, 2)))  # the factor of replacement forgotten
    assert other.epsilon > 1.2 * float(epsilon)


def test_none_is_asked_where_the_tool_has_none():
    peeled = pure("1")._replace(alternatives=(Alternative("bound", Fraction(1), Fraction(0)),))
    for cost in (peeled, gaussian("1", "1e-11"), pure("1000"), pure("1e-5")):
        assert opinion.second_opinion(cost) is None
        assert "dp-accounting" in unasked(cost)
    assert unasked(pure("1")) is None


SETS = {
    "one Gaussian": [GaussianCurve(Fraction(1, 16))],
    "four Gaussians": [GaussianCurve(Fraction(1, 100))] * 4,
    "different Gaussians": [GaussianCurve(Fraction(1, 9)), GaussianCurve(Fraction(1, 40))],
    "one coordinate": [RealLaplace(Fraction(1), 1)],
    "two coordinates": [RealLaplace(Fraction(1, 2), 2)],
    "on the lattice": [LatticeLaplace(2**20, Fraction(2**21), 2)],
}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("delta", ["1e-6", "1e-10"])
def test_exact_curves_agree_with_loss_distributions_and_lie_below_renyi_orders(name, delta):
    """Two coordinates are asked as two events, which knows nothing of our closed form."""
    distribution, orders = opinions(SETS[name], Fraction(delta))
    ours = epsilon_at(compose(SETS[name]), Fraction(delta))
    assert (distribution.tool, distribution.note) == ("dp-accounting PLD", "agrees with ours")
    assert orders.tool == "dp-accounting RDP"
    assert orders.epsilon > float(ours.high)
    assert "both hold" in orders.note


@pytest.mark.parametrize("curves", [
    [RealLaplace(Fraction(1, 10), 1)] * 10, [RealLaplace(Fraction(1, 2), 1), GaussianCurve(Fraction(1, 16))],
    [RealLaplace(Fraction(1, 2), 2), RealLaplace(Fraction(1, 3), 1)],
])  # fmt: skip
def test_a_bound_lies_above_their_composition_of_the_laws_and_by_less_than_a_tenth(curves):
    distribution, _ = opinions(curves, MILLIONTH)
    ours = float(epsilon_at(compose(curves), MILLIONTH).high)
    assert distribution.epsilon * (1 - 1e-6) < ours < 1.1 * distribution.epsilon
    assert "both hold" in distribution.note or distribution.note == "agrees with ours"


def test_a_figure_of_ours_that_is_too_small_is_not_explained_away():
    ours, one, four = Ends(Fraction("0.999"), Fraction("0.999")), Asked("PLD", 1), Asked("PLD", 4)
    assert note(one, ours, 1.0) == UNEXPLAINED
    assert note(one, ours, 1.0, exact=False) == UNEXPLAINED
    assert note(four, ours, 0.999 + 3e-6) == "agrees with ours"
    assert note(four, ours, 0.999 + 5e-6) == UNEXPLAINED
    assert note(four._replace(rounding=1e-4), ours, 0.999 + 5e-6) == "agrees with ours"
    assert "ours stands" in note(one, ours, 0.9)
    assert "both hold" in note(one, ours, 0.9, exact=False)
    assert "both hold" in note(Asked("RDP", 1), ours, 1.1)


@pytest.mark.parametrize("epsilon", ["1/3", "2/7", "0.33335", "1/7", "0.123456789"])
def test_a_loss_that_is_no_multiple_of_a_ten_thousandth_is_not_accused(epsilon):
    """Its own grid would round the loss of Laplace noise up by as much as 1e-4; ours divides the loss."""
    found = opinion.second_opinion(pure(epsilon))
    assert found.note == "agrees with ours"
    assert abs(found.epsilon - float(Fraction(epsilon))) < 1e-9


def test_losses_without_a_common_divisor_are_given_the_rounding_of_its_grid():
    curves = [RealLaplace(Fraction("0.1000001"), 1), RealLaplace(Fraction("0.2000003"), 1)]
    distribution, _ = opinions(curves, Fraction(0))
    assert distribution.epsilon > float(compose(curves).pure) + 1e-5
    assert distribution.note == "agrees with ours"


def test_a_curve_with_the_sensitivity_of_the_other_relation_is_not_explained(monkeypatch):
    """The planted fault: our curve for half of mu, theirs for all of it."""
    halved = epsilon_at(GaussianCurve(Fraction(1, 64)), MILLIONTH)
    monkeypatch.setattr(opinion, "epsilon_at", lambda *_: halved)
    assert opinions([GaussianCurve(Fraction(1, 16))], MILLIONTH)[0].note == UNEXPLAINED


@pytest.mark.parametrize(("curves", "delta", "why"), [
    ([Composition((Fraction(1),), Fraction(0))], "1e-6", "peeling"),
    ([RealLaplace(Fraction(1), 1)] * 65, "1e-6", "minutes"), ([GaussianCurve(Fraction(1))], "0", "no loss at delta 0"),
    ([GaussianCurve(Fraction(1))], "1e-11", "accurate"), ([RealLaplace(Fraction(100), 1)], "0", "accurate"),
])  # fmt: skip
def test_why_none_is_asked_of_a_set_is_said(curves, delta, why):
    assert opinions(curves, Fraction(delta)) == ()
    assert why in unasked_of(curves, Fraction(delta))
    assert unasked_of([RealLaplace(Fraction(1), 1)], Fraction(0)) is None


def epsilon_of(accountant, event, delta=1e-6, count=1):
    return accountant.compose(event, count).get_epsilon(delta)


class TestPinned:
    """What dp-accounting 0.6 does.  Where one of these fails, it was mended: say so on the page and drop the test."""

    def test_renyi_orders_ignore_replacement(self):
        """REPLACE_ONE costs as much as ADD_OR_REMOVE_ONE, though two records of norm C are 2 C apart (issue 378)."""
        event = dp_accounting.GaussianDpEvent(4.2)
        one, other = (
            epsilon_of(RdpAccountant(neighboring_relation=relation), event)
            for relation in (RELATION.ADD_OR_REMOVE_ONE, RELATION.REPLACE_ONE)
        )
        assert one == other
        truth = tight_epsilon(4 / Fraction("4.2") ** 2, MILLIONTH)
        assert epsilon_of(PLDAccountant(RELATION.REPLACE_ONE), event) > float(truth.low) > 1.9 * other

    def test_a_multiplier_that_is_no_number_costs_nothing_by_renyi_orders(self):
        assert epsilon_of(RdpAccountant(), dp_accounting.GaussianDpEvent(math.nan)) == 0

    def test_loss_distributions_say_nothing_below_a_delta_of_1e_15(self):
        for event in (dp_accounting.GaussianDpEvent(4.2), dp_accounting.LaplaceDpEvent(1.0)):
            assert epsilon_of(PLDAccountant(), event, 1e-16) == math.inf
        assert tight_epsilon(1 / Fraction("4.2") ** 2, Fraction(1, 10**16)).high < 2

    def test_loss_distributions_round_a_pure_loss_up_to_a_grid(self):
        assert abs(epsilon_of(PLDAccountant(), dp_accounting.LaplaceDpEvent(3.0), 1e-12) - 0.3334) < 1e-9

    def test_loss_distributions_have_no_loss_at_delta_0_for_pure_noise(self):
        assert epsilon_of(PLDAccountant(), dp_accounting.LaplaceDpEvent(1.0), 0.0) == math.inf

    def test_count_is_ignored_for_randomised_response(self):
        """Ten responses cost what one does, where they are counted and not listed."""
        event = dp_accounting.RandomizedResponseDpEvent(0.5, 2)
        counted = epsilon_of(PLDAccountant(RELATION.REPLACE_SPECIAL), event, count=10)
        listed = PLDAccountant(RELATION.REPLACE_SPECIAL)
        for _ in range(10):
            listed.compose(event)
        assert counted == epsilon_of(PLDAccountant(RELATION.REPLACE_SPECIAL), event)
        assert listed.get_epsilon(1e-6) > 9 * counted

    def test_calibration_has_an_absolute_tolerance(self):
        """1e-6 of the multiplier, whatever its size: a part in ten thousand of a small one."""

        def found(**options):
            return dp_accounting.calibrate_dp_mechanism(
                RdpAccountant, dp_accounting.GaussianDpEvent, 1e4, 1e-6, **options
            )

        assert found() / found(tol=1e-15) > 1 + 1e-4

    @pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
    def test_laplace_noise_at_delta_0_is_calibrated_to_a_scale_of_20_whatever_the_claim(self, epsilon):
        scale = dp_accounting.calibrate_dp_mechanism(PLDAccountant, dp_accounting.LaplaceDpEvent, epsilon, 0.0)
        assert 20 < scale < 20.1
        assert not math.isclose(scale, 1 / epsilon)

    def test_its_least_sigma_is_too_small_by_rounding_at_many_claims(self):
        short = [
            (epsilon, delta)
            for epsilon in ("0.1", "0.5", "1", "2", "5")
            for delta in ("1e-3", "1e-5", "1e-6", "1e-9", "1e-12")
            if violates(epsilon, delta, get_sigma_gaussian(float(epsilon), float(delta)))
        ]
        assert 5 <= len(short) < 25


def violates(epsilon, delta, sigma):
    """Certified: the noise needs a larger delta than claimed; and by so little that rounding explains it."""
    claim = Fraction(epsilon), Fraction(delta)
    low, _ = told(claim[0], 1 / Fraction(sigma) ** 2, claim[1])
    assert abs(sigma / least(*claim, Fraction(1)).sigma - 1) < 1e-9
    return low > claim[1]
