"""Appendix A's statements, exact where masses are, against exhaustive and sampled truth."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.accounting import utility
from dpspin.accounting.calibration import GaussianNoise, LaplaceNoise, Peeling
from dpspin.accounting.gaussian import analytic_sigma
from dpspin.enclosure import gaussian_floor, laplace_floor

BETA = Fraction(1, 20)
MASSES = st.lists(st.integers(0, 30), min_size=2, max_size=8)
NOISE = st.lists(st.integers(-5, 5), min_size=8, max_size=8)


def top(values, size):
    """The atoms of the highest values, the lower index first among equals."""
    return sorted(range(len(values)), key=lambda atom: (-values[atom], atom))[:size]


def lost(masses, noise, size):
    """Loss_L: true mass of the true top L minus that of the noisy one."""
    noisy = [mass + more for mass, more in zip(masses, noise, strict=False)]
    return sum(masses[atom] for atom in top(masses, size)) - sum(masses[atom] for atom in top(noisy, size))


@pytest.mark.parametrize("atoms", [1, 46])
def test_the_floor_counts_every_atom_of_a_full_sketch_and_the_admitted_ones_of_peeling(atoms):
    laplace, gaussian = LaplaceNoise(Fraction(1000)), GaussianNoise(Fraction(1000))
    assert utility.noise_floor(laplace, atoms, 10, BETA) == laplace_floor(Fraction(1000), atoms, BETA)
    assert utility.noise_floor(gaussian, atoms, 10, BETA) == gaussian_floor(Fraction(1000), atoms, BETA)
    admitted = min(10, atoms)
    for values, floor in ((laplace, laplace_floor), (gaussian, gaussian_floor)):
        assert utility.noise_floor(Peeling(Fraction(1), values), atoms, 10, BETA) == floor(
            Fraction(1000), admitted, BETA
        )


@pytest.mark.parametrize("atoms", [1, 46, 2000])
def test_closed_forms_lie_above_the_exact_quantile_and_the_sharper_one_below_the_papers(atoms):
    scale = 2**20
    laplace = utility.laplace_error(scale, atoms, 0.05)
    assert utility.noise_floor(LaplaceNoise(Fraction(scale)), atoms, 1, BETA) <= laplace + 1  # an integer
    sharper = utility.sharper_gaussian_error(scale, atoms, 0.05)
    assert utility.noise_floor(GaussianNoise(Fraction(scale)), atoms, 1, BETA) <= sharper + 1
    assert sharper < utility.gaussian_error(scale, atoms, 0.05)


def test_figures_of_the_specification_at_epsilon_1_and_46_atoms():
    sigma = analytic_sigma(Fraction(1), Fraction(1, 10**5), Fraction(1))
    assert utility.laplace_error(1.0, 46, 0.05) == pytest.approx(6.8, abs=0.05)
    assert utility.sharper_gaussian_error(sigma, 46, 0.05) == pytest.approx(13.8, abs=0.05)
    assert utility.admission_gap(0.5 / (2 * 10), 46, 10, 0.05) == pytest.approx(365, abs=0.5)


@given(MASSES, NOISE, st.integers(1, 8))
def test_noise_of_at_most_tau_costs_no_more_than_either_bound(masses, noise, size):
    tau, size = max(map(abs, noise[: len(masses)])), min(size, len(masses))
    loss, atoms = lost(masses, noise, size), len(masses)
    assert loss <= utility.sharper_top_l_loss(tau, size, atoms) <= utility.top_l_loss(tau, size)
    best = sum(sorted(masses)[-size:])
    retained = utility.mass_retained(Fraction(tau), size, Fraction(best))
    assert retained is None if best == 0 else Fraction(best - loss, best) >= retained
    if utility.separated(masses, size, Fraction(tau)):
        noisy = [mass + more for mass, more in zip(masses, noise, strict=False)]
        assert set(top(noisy, size)) == set(top(masses, size))


def test_the_loss_bound_is_attained_and_a_gap_of_just_two_tau_is_not_separated():
    masses, noise = [10, 10, 0, 0], [-5, -5, 5, 5]
    assert lost([9, 9, 0, 0], noise, 2) == 18
    assert lost(masses, noise, 2) == 0  # ties are broken in favour of the lower index
    assert lost(masses[::-1], noise[::-1], 2) == 20 == utility.sharper_top_l_loss(5, 2, 4)
    assert not utility.separated(masses, 2, Fraction(5))
    assert utility.separated(masses, 2, Fraction(49, 10))
    assert utility.separated(masses, 4, Fraction(5))


def test_nothing_is_lost_where_every_atom_is_admitted():
    assert utility.sharper_top_l_loss(Fraction(5), 9, 9) == utility.sharper_top_l_loss(Fraction(5), 9, 4) == 0
    assert utility.admission_gap(0.1, 9, 9, 0.05) == utility.admission_loss(0.1, 9, 9, 0.05) == 0


def peeled(masses, exponent, size, generator):
    """One admission by the Gumbel form of peeling."""
    return np.argsort(-(exponent * masses + generator.gumbel(size=len(masses))))[:size]


def test_peeling_keeps_its_gap_and_its_loss():
    generator, masses, exponent, size = np.random.default_rng(7), np.array([9.0] * 5 + [6.0] * 5 + [0.0] * 30), 1.0, 5
    gap = utility.admission_gap(exponent, 40, size, 0.05)
    loss = utility.admission_loss(exponent, 40, size, 0.05)
    wide = narrow = 0
    for _ in range(2000):
        admitted = peeled(masses, exponent, size, generator)
        out = np.delete(masses, admitted).max()
        wide += out - masses[admitted].min() > gap or 45 - masses[admitted].sum() > loss
        narrow += out - masses[admitted].min() > gap / 4
    # P(at most 5 %) of 2,000: 170 has a chance below 1e-7 (Chernoff); a quarter of the bound is exceeded often
    assert wide <= 170 < narrow


def test_the_loss_is_the_sum_of_the_rounds():
    rounds = [math.log((46 - t + 1) * 3 / 0.05) / 0.2 for t in (1, 2, 3)]
    assert utility.admission_loss(0.2, 46, 3, 0.05) == pytest.approx(sum(rounds))
    assert utility.admission_loss(0.2, 46, 3, 0.05) < 3 * utility.admission_gap(0.2, 46, 3, 0.05)
