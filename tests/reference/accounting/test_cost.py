"""The cost of a release, exact."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpspin.accounting import cost
from dpspin.accounting.admission import Admission
from dpspin.accounting.admission import meets as meets_claim
from dpspin.accounting.admission_bounds import BOUNDED_RANGE, CLOSED_FORM, CONCENTRATED
from dpspin.accounting.calibration import GaussianNoise, LaplaceNoise, Peeling, calibrate
from dpspin.accounting.gaussian import analytic_sigma, meets
from dpspin.accounting.value_loss import GaussianLoss
from dpspin.adjacency import MASS_UNIT
from dpspin.mechanism import Gaussian, Laplace, PrivateTopL
from dpspin.settings import Exact

ADJACENCIES = ("add_drop", "replacement")
GAUSSIAN_BOUNDS = (CLOSED_FORM, BOUNDED_RANGE, CONCENTRATED)
BELOW_1E_6 = Fraction(1, 10**6)


def laplace(epsilon):
    return Laplace.model_validate({"kind": "laplace", "epsilon": epsilon, "delta": "0"})


def gaussian(epsilon, delta="1e-6", calibration="analytic"):
    fields = {"kind": "gaussian", "epsilon": epsilon, "delta": delta, "calibration": calibration}
    return Gaussian.model_validate(fields)


def top_l(em_mode, values, share="1/2"):
    delta = "0" if values == "laplace" else "1e-6"
    fields = {"kind": "private_top_l", "epsilon": "1", "delta": delta, "selection_share": share}
    return PrivateTopL.model_validate(fields | {"em_mode": em_mode, "values": values})


@pytest.fixture
def changed(demo):
    """The demonstration deployment with another mechanism, plan size and bound."""

    def _changed(mechanism, adjacency="add_drop", plan_size=3, mass_bound="2"):
        update = {"mechanism": mechanism, "adjacency": adjacency, "mass_bound": Exact(mass_bound)}
        return demo.model_copy(update=update | {"plan": demo.plan.model_copy(update={"size": plan_size})})

    return _changed


@pytest.mark.parametrize("epsilon", ["1/10", "1", "8", "0.3333"])
@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("atoms", [1, 50])
def test_laplace_noise_costs_exactly_the_claimed_epsilon(changed, epsilon, adjacency, atoms):
    assert cost.accounted(changed(laplace(epsilon), adjacency), atoms)[:2] == (Fraction(epsilon), 0)


def test_half_the_scale_costs_twice_the_claim(changed):
    for adjacency, atoms, factor in (("add_drop", 50, 1), ("replacement", 50, 2), ("replacement", 1, 1)):
        noise = LaplaceNoise(Fraction(MASS_UNIT) * factor)
        assert cost.cost_of(noise, changed(laplace("1"), adjacency), atoms).epsilon == 2


@pytest.mark.parametrize("delta", ["1e-6", "1/3000003"])
@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_gaussian_noise_costs_at_most_the_claim_and_nearly_all_of_it(changed, delta, adjacency):
    found = cost.accounted(changed(gaussian("0.5", delta), adjacency), 50)
    assert found.epsilon == Fraction(1, 2)
    assert Fraction(delta) * (1 - Fraction(1, 10**6)) < found.delta <= Fraction(delta)


def test_classical_noise_needs_a_smaller_delta_than_it_claims(changed):
    found = cost.accounted(changed(gaussian("0.5", calibration="classical")), 50)
    assert found.delta < BELOW_1E_6 / 5
    assert meets(found.epsilon, 1 / found.multiplier_squared, found.delta)


def test_too_little_gaussian_noise_costs_more_than_the_claim(changed):
    deployment = changed(gaussian("0.5"))
    noise = calibrate(deployment, 50)
    for less in (noise.sigma * Fraction(99, 100), noise.sigma * (1 - Fraction(1, 10**6))):
        assert cost.cost_of(GaussianNoise(less), deployment, 50).delta > BELOW_1E_6


def by_name(found):
    return {one.name: (one.epsilon, one.delta) for one in found.alternatives}


@pytest.mark.parametrize(("em_mode", "adjacency", "composed"), [
    ("paper", "add_drop", "3/4"),  # paper mode really costs eps_sel / 2 under add/drop,
    ("paper", "replacement", "5/6"),  # (L + 1) / (2 L) eps_sel under replacement: L = 3
    ("tight", "add_drop", "1"), ("tight", "replacement", "1"),
])  # fmt: skip
@pytest.mark.parametrize("values", ["laplace", "gaussian"])
def test_private_top_l_reports_claim_and_composed_cost(changed, em_mode, adjacency, composed, values):
    found = cost.accounted(changed(top_l(em_mode, values), adjacency), 50)
    delta = Fraction(0) if values == "laplace" else BELOW_1E_6
    assert by_name(found)["paper's claim"] == (1, delta)
    sharpened = (em_mode, values) == ("tight", "gaussian")  # then less noise than composition needs is enough
    assert (by_name(found)["selection and values composed"][0] > Fraction(composed)) == sharpened
    if not sharpened:
        assert by_name(found)["selection and values composed"][0] == Fraction(composed)
    assert found.epsilon == min(epsilon for epsilon, _ in by_name(found).values()) <= 1
    assert found.delta == delta
    assert ("selection and values together" in by_name(found)) == (values == "laplace")
    assert set(GAUSSIAN_BOUNDS) <= set(by_name(found)) or values == "laplace"


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("em_mode", ["paper", "tight"])
def test_a_lower_bound_stands_beside_the_cost_and_is_no_alternative(changed, em_mode, adjacency):
    found = cost.accounted(changed(top_l(em_mode, "gaussian"), adjacency, plan_size=10), 50)
    assert Fraction(1, 10) < found.lower.epsilon < found.epsilon
    assert found.lower.delta == found.delta
    assert found.lower.name not in by_name(found)
    assert cost.accounted(changed(top_l(em_mode, "laplace"), adjacency), 50).lower is None


def test_paper_noise_costs_what_the_closed_form_says(changed):
    """L = 10, eps_sel = eps_val = 1/2, B = 2: a = 1/40, and sigma is that of Gaussian noise for (1/2, 1e-6)."""
    found = cost.accounted(changed(top_l("paper", "gaussian"), "replacement", plan_size=10), 50)
    ratio = 2 / Fraction(analytic_sigma(Fraction(1, 2), BELOW_1E_6, Fraction(2))) ** 2
    held = Admission("replacement", 10, Fraction(1, 40), GaussianLoss(ratio))
    assert meets_claim(held, found.epsilon, BELOW_1E_6)
    assert not meets_claim(held, found.epsilon - Fraction(1, 10**6), BELOW_1E_6)
    assert "closed form" in found.theorem


@pytest.mark.parametrize("epsilon", ["1/3", "1"])
def test_a_figure_that_is_rounded_up_never_exceeds_a_claim_that_holds(changed, epsilon):
    mechanism = top_l("tight", "gaussian").model_copy(update={"epsilon": Exact(epsilon)})
    found = cost.accounted(changed(mechanism, plan_size=10), 50)
    assert Fraction(epsilon) * (1 - Fraction(1, 10**5)) < found.epsilon <= Fraction(epsilon)


@pytest.mark.parametrize("factor", [2, 100, 10**5])
def test_too_little_noise_of_admission_costs_more_at_the_claimed_delta(changed, factor):
    deployment = changed(top_l("paper", "gaussian"), plan_size=10)
    noise = calibrate(deployment, 50)
    weak = Peeling(noise.exponent * factor, GaussianNoise(noise.values.sigma / factor))
    found = cost.cost_of(weak, deployment, 50)
    assert found.epsilon > 1
    assert found.delta >= BELOW_1E_6


def test_laplace_values_that_claim_a_delta_cost_less_than_the_pure_loss(changed):
    mechanism = top_l("paper", "laplace").model_copy(update={"delta": Exact("1e-6")})
    deployment = changed(mechanism, plan_size=10)
    found, pure = cost.accounted(deployment, 50), cost.accounted(changed(top_l("paper", "laplace"), plan_size=10), 50)
    assert found.epsilon < pure.epsilon
    assert (found.delta, pure.delta) == (BELOW_1E_6, 0)
    assert by_name(found)["selection and values together"] == (pure.epsilon, 0)


@pytest.mark.parametrize(("adjacency", "together"), [
    ("add_drop", "5/6"),  # L = 3, eps_sel = eps_val = 1/2: a = 1/6, v = 1/2; max(3 a + v - a, a + v)
    ("replacement", "7/8"),  # a = 1/8, v = 1/4; 3 a + v + max(a, v)
])  # fmt: skip
def test_laplace_values_cost_less_together_with_admission(changed, adjacency, together):
    found = cost.accounted(changed(top_l("tight", "laplace"), adjacency), 50)
    assert found.epsilon == Fraction(together)
    assert "together" in found.theorem


@pytest.mark.parametrize("atoms", [1, 2, 3])
@pytest.mark.parametrize("values", ["laplace", "gaussian"])
@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_admitting_every_atom_costs_the_values_alone(changed, atoms, values, adjacency):
    found = cost.accounted(changed(top_l("paper", values), adjacency), atoms)
    assert found.epsilon == Fraction(1, 2)
    assert cost.accounted(changed(top_l("paper", values), adjacency), 4).epsilon > Fraction(1, 2)


@pytest.mark.parametrize("values", ["laplace", "gaussian"])
@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_the_value_of_a_single_admitted_atom_moves_by_the_bound_only(changed, values, adjacency):
    found = cost.accounted(changed(top_l("paper", values), adjacency, plan_size=1), 50)
    spent = Fraction(1, 2) if adjacency == "replacement" else Fraction(1, 4)
    assert found.alternatives[1][:2] == ("selection and values composed", spent + Fraction(1, 2))
    assert found.delta <= found.alternatives[0].delta


def order_probability(masses, order, base):
    """Probability that peeling admits in this order, where exp(eta) per unit of mass is `base`: exact."""
    left, probability = dict(enumerate(masses)), Fraction(1)
    for atom in order:
        probability *= Fraction(base) ** left[atom] / sum(Fraction(base) ** mass for mass in left.values())
        del left[atom]
    return probability


def largest_ratio(first, second, rounds, base, value_base=1):
    """Largest probability ratio over orders of admission and Laplace values, exp(value rate) being `value_base`."""
    return max(
        order_probability(first, order, base)
        / order_probability(second, order, base)
        * Fraction(value_base) ** sum(abs(first[atom] - second[atom]) for atom in order)
        for order in permutations(range(len(first)), rounds)
    )


def plus(masses, unit):
    return [mass + more for mass, more in zip(masses, unit, strict=True)]


UNIT = st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(lambda unit: sum(unit) <= 3)
MASSES = st.lists(st.integers(0, 6), min_size=4, max_size=4)


def neighbours(adjacency, masses, one, other):
    second = plus(masses, other) if adjacency == "replacement" else masses
    return [(plus(masses, one), second), (second, plus(masses, one))]


RATES = st.integers(1, 3)
PAIRS = st.tuples(st.sampled_from(ADJACENCIES), MASSES, UNIT, UNIT)
ZEROS, LEFT, RIGHT = [0] * 4, [3, 0, 0, 0], [0, 3, 0, 0]


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.integers(1, 3), RATES)
@example(("replacement", ZEROS, LEFT, RIGHT), 1, 1)
def test_no_order_of_admission_reveals_more_than_the_selection_cost(pair, rounds, rate):
    bound = cost.selection_cost(pair[0], rounds, Fraction(3 * rate))  # in powers of two
    for first, second in neighbours(*pair):
        assert largest_ratio(first, second, rounds, 2**rate) <= 2**bound


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.integers(1, 3), RATES, RATES)
@example(("add_drop", ZEROS, LEFT, ZEROS), 2, 1, 3)
@example(("replacement", ZEROS, LEFT, RIGHT), 2, 1, 3)
def test_admission_and_values_reveal_no_more_than_the_joint_cost(pair, rounds, rate, value_rate):
    bound = cost.joint_cost(pair[0], rounds, Fraction(3 * rate), Fraction(3 * value_rate))
    for first, second in neighbours(*pair):
        assert largest_ratio(first, second, rounds, 2**rate, 2**value_rate) <= 2**bound


def attained(adjacency, rounds, rate, value_rate):
    """Largest ratio, in powers of two, over corpora with one heavy unit and competitors from far below to far above."""
    units = [(0, 0, 0, 3), (0, 0, 3, 0)]
    best = Fraction(0)
    for low in (0, 40, 80):
        for high in (0, 40, 80):
            masses = [high] * (rounds + 1) + [low, 40]
            pad = [0] * (rounds - 1)
            for first, second in neighbours(adjacency, masses, pad + list(units[0]), pad + list(units[1])):
                best = max(best, largest_ratio(first, second, rounds, 2**rate, 2**value_rate))
    return best


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize(("rounds", "rate", "value_rate"), [(1, 1, 2), (2, 1, 1), (2, 2, 1), (2, 1, 3), (3, 1, 2)])
def test_the_joint_cost_is_attained_so_nothing_smaller_would_do(adjacency, rounds, rate, value_rate):
    bound = cost.joint_cost(adjacency, rounds, Fraction(3 * rate), Fraction(3 * value_rate))
    assert 2 ** (bound - 1) < attained(adjacency, rounds, rate, value_rate) <= 2**bound


@given(st.sampled_from(ADJACENCIES), st.integers(1, 50), st.fractions(0, 9), st.fractions(0, 9))
def test_the_joint_cost_never_exceeds_the_composed_one(adjacency, rounds, per_round, value_rate):
    shift = 2 if adjacency == "replacement" and rounds > 1 else 1
    composed = cost.selection_cost(adjacency, rounds, per_round) + shift * value_rate
    assert cost.joint_cost(adjacency, rounds, per_round, value_rate) <= composed


def test_noise_below_the_calibrated_values_costs_more(changed):
    deployment = changed(top_l("paper", "laplace"))
    noise = calibrate(deployment, 50)
    weak = Peeling(noise.exponent, LaplaceNoise(noise.values.scale / 4))
    assert cost.cost_of(weak, deployment, 50).epsilon > 1


def test_the_multiplier_is_sigma_over_delta_2_squared(changed):
    found = cost.accounted(changed(gaussian("1"), "replacement"), 50)
    assert found.multiplier_squared == Fraction(analytic_sigma(Fraction(1), BELOW_1E_6, Fraction(8))) ** 2 / 8
