"""The outputs of the shipped vectors, computed again by formulas written down here and nowhere else."""

import math
from fractions import Fraction

import mpmath
import pytest

from dpspin.errors import DpspinError, UsageError
from dpspin_audits.conformance import steps, suite

UNIT = 2**20


def cases(function):
    return [case for case in suite.cases(f"^{function}/") if case.result == "valid"]


def ints(value):
    return [ints(item) for item in value] if isinstance(value, list) else int(value)


def top(values, count):
    ranks = {i: sum(1 for j, other in enumerate(values) if other > value or (other == value and j < i))
             for i, value in enumerate(values)}  # fmt: skip
    return [i for rank in range(min(count, len(values))) for i in ranks if ranks[i] == rank]


def scaled(vector, bound):
    total = sum(vector)
    return [math.floor(Fraction(value * bound, total)) if total else 0 for value in vector]


def clipped(vector, bound):
    positive = [max(value, 0) for value in vector]
    return scaled(positive, bound) if sum(positive) > bound else positive


def shared(scores, max_atoms, unit):
    kept = set(top(scores, max_atoms))
    return scaled([score if i in kept and score > 0 else 0 for i, score in enumerate(scores)], unit)


def summed(vectors, width):
    return [sum(column) for column in zip(*vectors, strict=True)] if vectors else [0] * width


def by_user(records, bound, width):
    users = {user for user, _ in records}
    return summed([clipped(summed([v for u, v in records if u == user], width), bound) for user in users], width)


def half_even(numerator, denominator, scale):
    exact = Fraction(numerator * scale, denominator)
    low = math.floor(exact)
    if exact - low == Fraction(1, 2):
        return low + low % 2
    return math.floor(exact + Fraction(1, 2))


def binned(mass, floor, denominator, cuts, scale):
    if mass <= floor:
        return 0
    return 1 + sum(Fraction(mass, denominator) >= Fraction(cut, scale) for cut in cuts)


ORACLES = {
    "highest": top,
    "shrink": scaled,
    "contribution": shared,
    "clip": clipped,
    "add": summed,
    "sketch": lambda units, bound, width: summed([clipped(unit, bound) for unit in units], width),
    "user_sketch": by_user,
    "rounded": half_even,
    "compare": lambda left, right, margin: (left - right >= max(1, margin)) - (right - left >= max(1, margin)),
    "support_bin": binned,
    "mass_of": lambda plan, atom: dict(plan).get(atom, 0),
    "is_admitted": lambda plan, atom: [name for name, _ in plan].count(atom) == 1,
    "rank_of": lambda plan, atom: 1 + sum((-mass, name) < (-dict(plan).get(atom, 0), atom) for name, mass in plan),
}


@pytest.mark.parametrize("function", sorted(ORACLES))
def test_kernel_vectors_agree_with_an_oracle(function):
    found = cases(function)
    assert len(found) >= 14
    for case in found:
        assert ints(case.output) == ORACLES[function](**{key: ints(value) for key, value in case.input.items()}), case


def true_of(*, plan, claim, unit, margin, floor, denominator, cuts, scale):
    kind, atom, other, value = claim
    masses = {name: mass for name, mass in plan}  # noqa: C416 - pairs
    bins = [binned(mass, floor, denominator, cuts, scale) for _, mass in plan]
    names = [name for name, _ in plan]
    if kind == 8:
        return value == sum(other in (-1, found) for found in bins)
    if names.count(atom) != 1 or (kind in (5, 6) and names.count(other) != 1):
        return False
    gap = masses[atom] - masses.get(other, 0)
    if kind in (2, 3):
        numerator, below = (masses[atom], unit) if kind == 2 else (max(masses[atom], 0), denominator)
        return value == half_even(numerator, below, other)
    places = sorted(names, key=lambda name: (-masses[name], name))
    return {
        1: True,
        4: value == bins[names.index(atom)],
        5: gap >= max(margin, 1),
        6: abs(gap) < margin,
        7: value == places.index(atom) + 1,
    }.get(kind, False)


def test_claims_agree_with_an_oracle():
    found = cases("claim_supported")
    assert {case.output for case in found} == {True, False}
    for case in found:
        assert case.output is true_of(**case.input), case


def test_scales_and_costs_agree_with_their_formulas():
    for case in cases("laplace_scale"):
        given = {key: Fraction(str(value)) for key, value in case.input.items() if key != "adjacency"}
        twice = 2 if case.input["adjacency"] == "replacement" and given["universe_size"] > 1 else 1
        assert Fraction(case.output) == twice * given["mass_bound"] / given["epsilon"]
    for case in cases("joint_cost"):
        rounds, a, v = case.input["rounds"], Fraction(case.input["per_round"]), Fraction(case.input["value_rate"])
        if case.input["adjacency"] == "add_drop":
            wanted = max(rounds * a + max(0, v - a), a + v)
        else:
            wanted = 2 * a + v if rounds == 1 else rounds * a + v + max(a, v)
        assert Fraction(case.output) == wanted


def delta_of(sigma, epsilon, squared):
    mu = mpmath.sqrt(squared) / mpmath.mpf(sigma)
    return mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)


def test_sigmas_meet_the_claim_and_the_floats_below_do_not():
    found = [case for case in cases("gaussian_sigma") if case.input["rule"] == "analytic"]
    assert len(found) == 16
    with mpmath.workdps(50):
        for case in found:
            epsilon = (
                mpmath.mpf(Fraction(case.input["epsilon"]).numerator) / Fraction(case.input["epsilon"]).denominator
            )
            squared = 2 if case.input["adjacency"] == "replacement" else 1
            sigma, claim = float.fromhex(case.output), mpmath.mpf(case.input["delta"])
            assert delta_of(sigma, epsilon, squared) <= claim < delta_of(math.nextafter(sigma, 0), epsilon, squared)


def test_what_no_implementation_may_accept_is_refused():
    refused = suite.cases("^Refused$")
    assert len(refused) >= 45
    for case in refused:
        with pytest.raises(DpspinError):
            steps.answer(case.function, case.input)


@pytest.mark.parametrize("vector", [None, 1, [0.5], [True], ["a"], {}])
def test_inputs_of_another_shape_are_refused(vector):
    with pytest.raises(UsageError):
        steps.answer("clip", {"vector": vector, "bound": 1})
