"""Noise that is not the calibrated one, and releases under it."""

from fractions import Fraction

import numpy as np
import pytest

from dpspin.accounting.calibration import GaussianNoise, LaplaceNoise, Peeling
from dpspin.curator.noise import SeededBits
from dpspin.curator.release import release
from dpspin_audits.zoo import noises


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian", "top_l", "top_l_gaussian"])
def test_under_the_calibrated_noise_plans_are_those_of_the_core_call(setting_of, mechanism):
    setting, sketch = setting_of(mechanism=mechanism), [2**20 * n for n in range(12)]
    ours = noises.released(sketch, setting.noise, 3, SeededBits(b"s"), 50)
    theirs = release(sketch, setting.deployment, SeededBits(b"s"), 50, rigorous=False)
    assert np.array_equal(ours.atoms, theirs.atoms)
    assert np.array_equal(ours.masses, theirs.masses)


@pytest.mark.parametrize(
    ("noise", "weaker"),
    [(LaplaceNoise(Fraction(6)), LaplaceNoise(Fraction(3))), (GaussianNoise(Fraction(4)), GaussianNoise(Fraction(2))),
     (Peeling(Fraction(1), LaplaceNoise(Fraction(6))), Peeling(Fraction(2), LaplaceNoise(Fraction(3))))],
)  # fmt: skip
def test_weaker_noise_tells_more_of_everything(noise, weaker):
    assert noises.weaker(noise, 2) == weaker


def test_other_values_leave_admission_alone():
    noise, other = Peeling(Fraction(1), LaplaceNoise(Fraction(6))), LaplaceNoise(Fraction(3))
    assert noises.with_values(noise, other) == Peeling(Fraction(1), other)
    assert noises.with_values(LaplaceNoise(Fraction(6)), other) == other
    assert noises.typical(noises.values_of(noise)) == 6


def test_noise_of_another_relation_is_smaller(setting_of):
    setting = setting_of(adjacency="replacement")
    assert noises.calibrated_for(setting, adjacency="add_drop").scale * 2 == setting.noise.scale
