"""Laws are those of the noise, in both tails."""

import numpy as np
import pytest
from scipy import integrate, stats

from dpspin_audits.statistics.laws import GaussianLaw, LaplaceLaw

LAWS = [(LaplaceLaw(1.5), stats.laplace(scale=1.5)), (GaussianLaw(2.5), stats.norm(scale=2.5))]
POINTS = np.array([-7.0, -0.3, 0.0, 0.3, 7.0])


@pytest.mark.parametrize(("law", "known"), LAWS)
def test_densities_and_distribution_functions_are_those_of_the_law(law, known):
    assert law.log_density(POINTS) == pytest.approx(known.logpdf(POINTS), abs=1e-12)
    assert law.log_below(POINTS) == pytest.approx(known.logcdf(POINTS), abs=1e-12)


@pytest.mark.parametrize(("law", "known"), LAWS)
def test_they_belong_together(law, known):
    mass, _ = integrate.quad(lambda x: float(np.exp(law.log_density(np.array(x)))), -60, 1)
    assert mass == pytest.approx(float(np.exp(law.log_below(np.array(1.0)))), abs=1e-8)


@pytest.mark.parametrize("law", [law for law, _ in LAWS])
def test_tails_do_not_cancel(law):
    far = law.log_below(np.array([-2000.0, 2000.0]))
    assert far[0] < -1000
    assert np.isfinite(far).all()
    assert -1e-300 <= far[1] <= 0
