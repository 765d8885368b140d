"""Noise other than the calibrated one, and releases under it: what faulty implementations are made of."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpspin.accounting.calibration import GaussianNoise, LaplaceNoise, Noise, Peeling, ValueNoise, calibrate
from dpspin.curator.admission import admit_by_peeling
from dpspin.curator.full_sketch import Samples, admit
from dpspin.curator.noise import Bits, Integers, gaussian, laplace
from dpspin.pipeline import Setting
from dpspin_audits.subject import NoiseSource


def released(sketch: list[int], noise: Noise, plan_size: int, bits: Bits, runs: int) -> Samples:
    """Plans under any noise, as the core call gives them under the calibrated one."""
    if isinstance(noise, Peeling):
        values = signed(noise.values, (runs, min(plan_size, len(sketch))), bits)
        return admit_by_peeling(sketch, noise.exponent, values, bits, rigorous=False)
    return admit(sketch, signed(noise, (runs, len(sketch)), bits), plan_size)


def signed(noise: ValueNoise, shape: tuple[int, int], bits: Bits) -> Integers:
    """Signed noise in lattice units."""
    if isinstance(noise, LaplaceNoise):
        return laplace(noise.scale, shape, bits, rigorous=False)
    return gaussian(noise.sigma, shape, bits, rigorous=False)


def asked(noise: ValueNoise, values: list[int], source: NoiseSource) -> list[int]:
    """Values with noise from outside."""
    if isinstance(noise, LaplaceNoise):
        return source.laplace(values, noise.scale, label="sketch")
    return source.gaussian(values, noise.sigma, label="sketch")


def values_of(noise: Noise) -> ValueNoise:
    """The noise of released masses."""
    return noise.values if isinstance(noise, Peeling) else noise


def weaker(noise: Noise, factor: int) -> Noise:
    """The same kind of noise, so many times too small."""
    if isinstance(noise, Peeling):
        values = weaker(noise.values, factor)
        return Peeling(noise.exponent * factor, values_of(values))
    if isinstance(noise, LaplaceNoise):
        return LaplaceNoise(noise.scale / factor)
    return GaussianNoise(noise.sigma / factor)


def with_values(noise: Noise, values: Noise) -> Noise:
    """The same admission, where there is one, with other noise on the values."""
    return replace(noise, values=values_of(values)) if isinstance(noise, Peeling) else values


def calibrated_for(setting: Setting, **other: Any) -> Noise:
    """The noise of a deployment in which some fields are others."""
    return calibrate(setting.deployment.model_copy(update=other), len(setting.universe))


def typical(noise: ValueNoise) -> Fraction:
    """Scale or standard deviation, in lattice units."""
    return noise.scale if isinstance(noise, LaplaceNoise) else noise.sigma
