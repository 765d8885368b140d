"""The loss of a pair is that of the textbook, by closed forms and by enumeration."""

from fractions import Fraction
from itertools import permutations
from math import exp, inf, isclose, log

import pytest

from dpspin.accounting.gaussian import tight_delta
from dpspin_audits.noise.implied import NOTHING, implied
from dpspin_audits.noise.source import Frozen


def asked(*queries, first=()):
    """Recordings of queries (family, values, scale)."""
    source = Frozen(first)
    for family, values, scale in queries:
        if family == "peel":
            source.peel(values, scale, 2, label="q")
        else:
            getattr(source, family)(values, scale, label="q")
    return source.asked


def loss(left, right, **kind):
    return implied(asked(*left, **kind), asked(*right, **kind))


def test_laplace_losses_add_up_over_values_and_queries():
    found = loss([("laplace", [0, 5], 2), ("laplace", [1], 4)], [("laplace", [1, 3], 2), ("laplace", [0], 4)])
    assert found.laplace == Fraction(3, 2) + Fraction(1, 4)
    assert (found.shifted, found.epsilon(0.0), found.whole) == (3, 1.75, True)


@pytest.mark.parametrize(("claimed", "exceeded"), [("1", False), ("0.999999", True)])
def test_a_claim_that_is_met_exactly_is_not_exceeded(claimed, exceeded):
    found = loss([("laplace", [0] * 3, 3)], [("laplace", [1] * 3, 3)])
    assert found.exceeds(Fraction(claimed), Fraction(0)) == exceeded
    third = loss([("laplace", [0], 3)], [("laplace", [1], 3)])
    assert not third.exceeds(Fraction(1, 3), Fraction(0))  # whatever the nearest float is


def test_rounding_of_floats_is_no_violation_and_more_is():
    for step, exceeded in ((1 + 2.0**-30, False), (1.0001, True)):
        assert loss([("laplace", [0.0], 1)], [("laplace", [step], 1)]).exceeds(Fraction(1), Fraction(0)) == exceeded


def test_delta_forgives_laplace_noise_no_more_than_the_likeliest_event_allows():
    found = loss([("laplace", [0], 1)], [("laplace", [2], 1)])
    delta = 1e-5  # all answers above both values: probability 1/2 against e^-2 / 2
    assert isclose(found.epsilon(delta), 2 + log(1 - 2 * delta))
    least = found.epsilon(delta)
    assert isclose(0.5 - exp(least) * 0.5 * exp(-2), delta, rel_tol=1e-6)
    assert found.epsilon(0.6) == 0


def test_gaussian_losses_are_those_of_the_curve_and_add_up_in_squares():
    found = loss([("gaussian", [0, 0], 5)], [("gaussian", [3, 4], 5)])
    assert found.gaussian == 1
    assert found.epsilon(0.0) == inf
    at = found.epsilon(1e-5)
    assert isclose(float(tight_delta(Fraction(at), Fraction(1))), 1e-5, rel_tol=1e-4)
    twice = loss([("gaussian", [0], 1)] * 2, [("gaussian", [1], 1)] * 2)
    assert twice.gaussian == 2


def test_admission_is_the_log_ratio_of_the_admitted_order():
    before, after, eta = [3, 1, 0], [3, 2, 0], 0.7

    def chance(scores, order):
        left, product = set(range(3)), 1.0
        for position in order:
            product *= exp(eta * scores[position]) / sum(exp(eta * scores[other]) for other in left)
            left.remove(position)
        return product

    for order in permutations(range(3), 2):
        found = loss([("peel", before, eta)], [("peel", after, eta)], first=order)
        assert isclose(found.admission, abs(log(chance(after, order) / chance(before, order))), rel_tol=1e-12)
        assert isclose(found.probability, max(chance(before, order), chance(after, order)))
        assert isclose(float(found.spread), eta)
    assert isclose(sum(chance(before, order) for order in permutations(range(3), 2)), 1)


def test_admission_and_values_are_lost_together():
    both = loss([("peel", [0, 0], 1), ("laplace", [0], 1)], [("peel", [1, 0], 1), ("laplace", [1], 1)], first=(0, 1))
    assert isclose(both.epsilon(0.0), log(exp(1) / (1 + exp(1)) / 0.5) + 1)


def test_what_cannot_be_compared_has_no_loss():
    assert loss([("laplace", [0], 1)], [("laplace", [0], 2)]) is None
    assert loss([("laplace", [0], 1)], [("laplace", [0, 0], 1)]) is None
    assert loss([("laplace", [0.0], 1)], [("laplace", [float("nan")], 1)]) is None
    assert loss([("laplace", [4], 1)], [("laplace", [4], 1)]) == NOTHING
