"""The lower bound is attained by a real pair of corpora, and never above what is certified from above."""

from fractions import Fraction
from itertools import permutations
from math import exp

import pytest
from scipy.stats import norm

from dpspin.accounting import admission, lower_bound
from dpspin.accounting.admission import Admission
from dpspin.accounting.certified import tight_epsilon
from dpspin.accounting.lower_bound import Pair, attained, epsilon
from dpspin.accounting.value_loss import GaussianLoss, LaplaceLoss
from dpspin.errors import UsageError

A, SIXTH = Fraction(1, 2), Fraction(1, 10**6)


def never(scores, rounds):
    """Probability that atom 0 is not admitted, over all orders."""
    total = 0.0
    for order in permutations(range(len(scores)), rounds):
        left, probability = dict(enumerate(scores)), 1.0
        for atom in order:
            probability *= exp(left[atom]) / sum(map(exp, left.values()))
            del left[atom]
        total += 0.0 if 0 in order else probability
    return total


@pytest.mark.parametrize("added", [True, False])
@pytest.mark.parametrize(("atoms", "rounds"), [(2, 1), (4, 2), (5, 4)])
@pytest.mark.parametrize("values", [None, GaussianLoss(Fraction(1, 4))])
def test_what_a_pair_attains_is_what_all_its_orders_give(atoms, rounds, added, values):
    one, y, loss, z = Admission("add_drop", rounds, A, values), Fraction(3, 4), 0.1, Fraction(-1, 3)
    bare, unit = (never([score] + [0.0] * (atoms - 1), rounds) for score in (0.75, 1.25))
    first, second = (unit, bare) if added else (bare, unit)
    near, far = (norm.sf(float(z) - 0.5), norm.sf(float(z))) if values else (1.0, 1.0)
    true = max(first - exp(loss) * second, 0) + max((1 - first) * near - exp(loss) * (1 - second) * far, 0)
    assert float(attained(one, Fraction(1, 10), Pair(atoms, y, added, z))) == pytest.approx(true, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
@pytest.mark.parametrize("rounds", [0, 1, 2, 10])
@pytest.mark.parametrize("values", [None, GaussianLoss(Fraction(1, 9))])
def test_it_never_exceeds_the_upper_bound(adjacency, rounds, values):
    one = Admission(adjacency, rounds, A, values)
    for claim in (SIXTH, Fraction(1, 100)):
        assert epsilon(one, 12, claim) <= admission.epsilon(one, claim)


def test_admission_alone_is_tight_under_add_drop_as_atoms_grow():
    one = Admission("add_drop", 10, Fraction(1, 10))
    upper = admission.epsilon(one, SIXTH)
    found = [epsilon(one, atoms, SIXTH) for atoms in (11, 60, 10**6)]
    assert found == sorted(found)
    assert upper - found[-1] <= Fraction(2, 10**6)


def test_values_alone_are_lost_whatever_is_admitted():
    weak = Admission("replacement", 3, Fraction(1, 10**3), GaussianLoss(Fraction(2)))
    alone = tight_epsilon(Fraction(2), SIXTH).low
    assert alone * (1 - Fraction(1, 10**5)) < epsilon(weak, 50, SIXTH) <= alone + Fraction(1, 10)


def test_one_value_moves_by_the_bound_where_two_are_counted():
    assert lower_bound.single(Admission("replacement", 3, A, GaussianLoss(Fraction(2, 9)))) == Fraction(1, 9)
    assert lower_bound.single(Admission("replacement", 1, A, GaussianLoss(Fraction(1, 9)))) == Fraction(1, 9)
    assert lower_bound.single(Admission("add_drop", 3, A, GaussianLoss(Fraction(1, 9)))) == Fraction(1, 9)


def test_laplace_values_have_no_such_bound():
    with pytest.raises(UsageError, match="Gaussian noise alone"):
        epsilon(Admission("add_drop", 3, A, LaplaceLoss(A)), 12, SIXTH)


@pytest.mark.parametrize("ratio", ["1e-300", "1e-12", "1e6"])
@pytest.mark.parametrize("per_round", ["1e-300", "1/3", "1000"])
def test_extreme_noise_ends(ratio, per_round):
    one = Admission("add_drop", 3, Fraction(per_round), GaussianLoss(Fraction(ratio)))
    try:
        found = epsilon(one, 12, SIXTH)
    except UsageError:
        found = Fraction(0)
    assert found >= 0
