"""The statements hold for the reference and fail where a fault is planted.

A test refutes a true statement with probability at most 1e-6 (`theorems.ALPHA`), and noise is seeded.
"""

from fractions import Fraction

import numpy as np
import pytest

from dpspin.curator.noise import SeededBits
from dpspin.errors import ImpossibleError
from dpspin_experiments.sweep.conditions import Condition, Run
from dpspin_experiments.sweep.theorems import ALPHA, Tried, release, tried

BASE = Condition("record", "1", 20, 3, 5, "laplace", "1", "0", "1", None)
RUNS = 4000
BETA = Fraction(1, 20)


def seen(bench, mechanism, **changed):
    delta = "0" if mechanism == "laplace" else "1e-6"
    setting, exactly = bench.of(Run(BASE._replace(mechanism=mechanism, delta=delta, **changed), 0))
    return release(setting, exactly.sketch, RUNS, BETA, SeededBits(b"theorems"))


def by_name(found):
    return {each.statement: each for each in found}


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian", "private_top_l", "private_top_l_tight"])
def test_no_statement_is_refuted(bench, mechanism):
    found = tried(seen(bench, mechanism))
    assert len(found) >= 4
    assert not [each for each in found if each.refuted]


def test_the_exact_quantile_is_attained(bench):
    for mechanism in ("laplace", "gaussian"):
        exact = by_name(tried(seen(bench, mechanism)))["exact quantile on the lattice"]
        assert abs(exact.failed / exact.tried - 0.05) < 5 * (0.05 * 0.95 / RUNS) ** 0.5  # two-sided 6e-7


@pytest.mark.parametrize(
    ("mechanism", "statement"),
    [
        ("laplace", "A.1 b ln(m / beta)"),
        ("gaussian", "A.2 sigma sqrt(2 ln(2 m / beta))"),
        ("gaussian", "sharper sigma sqrt(2 ln(m / beta))"),
    ],
)
def test_noise_of_twice_the_scale_is_refuted(bench, mechanism, statement):
    honest = seen(bench, mechanism)
    assert not by_name(tried(honest))[statement].refuted
    assert by_name(tried(honest._replace(noise=2 * honest.noise)))[statement].refuted


def test_values_of_twice_the_scale_are_refuted(bench):
    honest = seen(bench, "private_top_l")
    exact = np.asarray(honest.sketch, np.int64)[honest.samples.atoms]
    wrong = honest.samples._replace(masses=exact + 2 * (honest.samples.masses - exact))
    found = by_name(tried(honest._replace(samples=wrong)))
    assert found["values: A.2 sigma sqrt(2 ln(2 L / beta))"].refuted
    assert found["loss and values at once"].refuted


def test_selection_that_ignores_the_scores_is_refuted(bench):
    honest = seen(bench, "private_top_l_tight", epsilon="64")
    assert not [each for each in tried(honest) if each.refuted]
    lowest = np.argsort(honest.sketch)[:5].astype(np.int32)
    wrong = honest.samples._replace(atoms=np.tile(lowest, (RUNS, 1)))
    found = by_name(tried(honest._replace(samples=wrong)))
    assert found["sparse admission: loss"].refuted
    assert found["sparse admission: gap to an atom left out"].refuted


def test_what_is_certain_fails_once_and_is_refuted(bench):
    honest = seen(bench, "laplace", epsilon="64")
    lowest = np.argsort(honest.sketch)[:5].astype(np.int32)
    atoms = honest.samples.atoms.copy()
    atoms[np.abs(honest.noise).max(axis=1).argmin()] = lowest
    found = by_name(tried(honest._replace(samples=honest.samples._replace(atoms=atoms))))
    for statement in ("A.3 loss <= 2 L tau", "A.3 loss <= 2 tau min(L, m - L)"):
        assert found[statement].failed == 1
        assert found[statement].refuted


def test_a_separated_top_is_found_exactly_and_a_miss_is_refuted(bench):
    honest = seen(bench, "laplace", epsilon="64")
    apart = [mass + (2**24 if place < 5 else 0) for place, mass in enumerate(sorted(honest.sketch, reverse=True))]
    again = release(honest.setting, apart, RUNS, BETA, SeededBits(b"apart"))
    name = "A.3 gap above 2 tau: the exact top L"
    assert by_name(tried(again))[name].failed == 0
    atoms = again.samples.atoms.copy()
    atoms[np.abs(again.noise).max(axis=1).argmin()] = [0, 1, 2, 3, 5]
    missed = tried(again._replace(samples=again.samples._replace(atoms=atoms)))
    assert by_name(missed)[name].refuted


def test_a_plan_of_all_atoms_has_no_boundary(bench):
    with pytest.raises(ImpossibleError, match="no boundary"):
        tried(seen(bench, "laplace", plan_size=20))


def test_few_failures_do_not_refute():
    assert not Tried("s", 1.0, 0.05, 100, 10).refuted
    assert Tried("s", 1.0, 0.05, 100, 40).refuted
    assert ALPHA <= 1e-6


def test_mass_that_is_not_retained_is_refuted(bench):
    honest = seen(bench, "laplace", epsilon="64")
    name = "A.3 MassRetained >= 1 - 2 L tau / M"
    assert by_name(tried(honest))[name].failed == 0
    assert by_name(tried(honest))[name].bound > 0.5  # it says something here
    lowest = np.argsort(honest.sketch)[:5].astype(np.int32)
    wrong = honest.samples._replace(atoms=np.tile(lowest, (RUNS, 1)))
    assert by_name(tried(honest._replace(samples=wrong)))[name].refuted
