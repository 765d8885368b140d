"""The white-box score is the log-likelihood ratio, and as strong as the theory says."""

from math import exp, log

import numpy as np
import pytest

from dpspin.curator.noise import SeededBits
from dpspin.curator.release import release
from dpspin_audits.draws import Draws, draws_of
from dpspin_audits.statistics import bounds, guessing
from dpspin_audits.statistics.features import see
from dpspin_audits.statistics.full_sketch import FullSketchScore
from dpspin_audits.statistics.guessing import Point
from dpspin_audits.statistics.laws import GaussianLaw, LaplaceLaw


@pytest.mark.parametrize("law", [LaplaceLaw(1.5), GaussianLaw(1.5)])
@pytest.mark.parametrize(("atom", "mass"), [(0, 3.2), (0, -1.0), (1, 0.4), (1, 7.0), (2, 2.0)])
def test_it_is_the_log_ratio_of_the_two_laws(law, atom, mass):
    """Three atoms, the highest released: density of the winner times the chance that each other one is lower."""
    before, after = [2.0, 1.0, 0.5], [2.7, 1.3, 0.5]

    def likelihood(centres):
        below = [exp(law.log_below(np.array(mass - centre))) for at, centre in enumerate(centres) if at != atom]
        return exp(law.log_density(np.array(mass - centres[atom]))) * np.prod(below)

    seen = see(Draws(np.array([[atom]]), np.array([[mass]])), (0, 1, 2))
    score = FullSketchScore(before, after, law)(seen)
    assert score[0] == pytest.approx(log(likelihood(after) / likelihood(before)), abs=1e-12)


def test_a_crash_scores_zero_and_tails_do_not_cancel():
    seen = see(Draws(np.array([[-1], [1]]), np.array([[0.0], [-2000.0]])), (0,))
    assert FullSketchScore([0.0], [1.0], LaplaceLaw(1.0))(seen) == pytest.approx([0, -1])


def test_the_reference_at_epsilon_one_measures_at_least_945_thousandths(setting):
    """The worst case at 100,000 runs and one twentieth of a thousandth."""
    exact = [40 * 2**20, *[0] * 11]
    sides = [[c + extra * 2**20 for c in exact[:1]] + exact[1:] for extra in (0, 1)]
    runs, score = {"training": 20_000, "testing": 50_000}, FullSketchScore([40.0], [41.0], LaplaceLaw(1.0))
    scores = {
        name: [
            score(
                see(
                    draws_of(
                        release(side, setting.deployment, SeededBits(name.encode(), at), n, rigorous=False), n, ""
                    ),
                    (0,),
                )
            )
            for at, side in enumerate(sides)
        ]
        for name, n in runs.items()
    }
    rule = guessing.choose(*scores["training"], Point(1.0, 0.0), 5e-5)
    assert 0.945 <= bounds.epsilon_at_least(guessing.guess(rule, *scores["testing"]), 0.0, 5e-5) <= 1
