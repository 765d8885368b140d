"""The likelihood of an admitted set is a sum over the orders of its admission, and so is the score."""

from itertools import combinations, permutations
from math import exp, log

import numpy as np
import pytest

from dpspin_audits.draws import Draws
from dpspin_audits.statistics import peeling
from dpspin_audits.statistics.features import see
from dpspin_audits.statistics.laws import LaplaceLaw
from dpspin_audits.statistics.peeling import PeelingScore, log_admitted


def by_orders(weights, chosen):
    """P(S), round by round, over all orders."""
    total = 0.0
    for order in permutations(chosen):
        left, chance = list(range(len(weights))), 1.0
        for atom in order:
            chance *= weights[atom] / sum(weights[other] for other in left)
            left.remove(atom)
        total += chance
    return total


MASSES = [[0.0, 0.0, 0.0, 0.0, 0.0], [3.0, 0.0, 1.0, 0.0, 2.5], [40.0, 39.0, 0.0, 0.0, 1.0]]


@pytest.mark.parametrize("logs", MASSES)
@pytest.mark.parametrize("rounds", [1, 3, 4])
def test_the_integral_is_the_sum_over_orders(logs, rounds):
    sets = list(combinations(range(5), rounds))
    found = log_admitted(np.array(logs), np.ones(5, int), np.array(sets))
    known = [log(by_orders([exp(x - max(logs)) for x in logs], chosen)) for chosen in sets]
    assert found - found[0] == pytest.approx(np.array(known) - known[0], abs=1e-5)


def test_probabilities_of_all_sets_add_up_to_one():
    logs = np.array([0.3, 1.1, 0.0, 2.0, 0.7])
    assert np.exp(log_admitted(logs, np.ones(5, int), np.array(list(combinations(range(5), 2))))).sum() == (
        pytest.approx(1, abs=1e-5)
    )


def test_a_fault_in_the_rule_of_integration_is_found(monkeypatch):
    monkeypatch.setattr(peeling, "NODES", peeling.NODES * 1.1)
    with pytest.raises(AssertionError):
        test_the_integral_is_the_sum_over_orders(MASSES[1], 3)


def test_the_score_is_the_log_ratio_of_set_and_values():
    """Five atoms, two admitted; the first one gains a unit of mass."""
    before, after, eta, law = [2.0, 2.0, 0.0, 0.0, 1.0], [3.0, 2.0, 0.0, 0.0, 1.0], 0.8, LaplaceLaw(1.5)
    plans = Draws(np.array([[0, 4], [3, 1], [2, 3], [-1, -1]]), np.array([[3.4, 0.0], [5.0, 1.0], [0.0, -1.0], [0, 0]]))
    score = PeelingScore(before, after, (0,), eta, law)(see(plans, (0,)))
    for row, (atoms, value) in enumerate([((0, 4), 3.4), ((1, 3), None), ((2, 3), None)]):
        ratio = log(by_orders([exp(eta * c) for c in after], atoms) / by_orders([exp(eta * c) for c in before], atoms))
        if value is not None:
            ratio += (abs(value - before[0]) - abs(value - after[0])) / law.scale
        assert score[row] == pytest.approx(ratio, abs=1e-5)
    assert score[3] == 0


def test_a_set_without_the_heaviest_atoms_does_not_underflow():
    logs = np.array([500.0, 400.0, *[0.0] * 6])
    found = log_admitted(logs, np.ones(8, int), np.array([[2, 3, 4], [0, 1, 2]]))
    assert np.isfinite(found).all()
    assert found[0] == pytest.approx(3 * -500 + log(6), rel=1e-3)


def test_where_every_atom_is_admitted_the_set_says_nothing():
    plans = Draws(np.array([[0, 1]]), np.array([[5.0, 1.0]]))
    score = PeelingScore([0.0, 1.0], [0.0, 1.0], (0,), 1.0, LaplaceLaw(1.0))
    assert score(see(plans, (0,))) == pytest.approx([0])
