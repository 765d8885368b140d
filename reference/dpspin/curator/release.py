"""The core call: the one function that releases, and that audits run."""

from fractions import Fraction
from typing import Protocol

import numpy as np

from dpspin.accounting.calibration import GaussianNoise, LaplaceNoise, Noise, Peeling, calibrate
from dpspin.curator.admission import admit_by_peeling, in_order
from dpspin.curator.full_sketch import Samples, admit
from dpspin.curator.noise import Bits, Integers, gaussian, laplace
from dpspin.deployment import Deployment


class Source(Protocol):
    """Noise from outside, for audits: exact integers in, noisy integers out, in lattice units."""

    def laplace(self, values: list[int], scale: Fraction, *, label: str) -> list[int]:
        """Values with Laplace noise."""
        ...

    def gaussian(self, values: list[int], sigma: Fraction, *, label: str) -> list[int]:
        """Values with Gaussian noise."""
        ...

    def peel(self, scores: list[int], exponent: Fraction, rounds: int, *, label: str) -> list[int]:
        """Atoms in order of admission."""
        ...


def draw(deployment: Deployment, universe_size: int, bits: Bits, runs: int, *, rigorous: bool) -> Integers:
    """All signed noise of `runs` releases, in lattice units; it is drawn before any data are touched.

    Returns:
        int64[runs, m] for mechanisms on the full sketch, int64[runs, L] for values of admitted atoms.
    """
    noise = calibrate(deployment, universe_size)
    if isinstance(noise, Peeling):
        shape = runs, min(deployment.plan.size, universe_size)
        return _signed(noise.values, shape, bits, rigorous=rigorous)
    return _signed(noise, (runs, universe_size), bits, rigorous=rigorous)


def _signed(noise: LaplaceNoise | GaussianNoise, shape: tuple[int, int], bits: Bits, *, rigorous: bool) -> Integers:
    if isinstance(noise, LaplaceNoise):
        return laplace(noise.scale, shape, bits, rigorous=rigorous)
    return gaussian(noise.sigma, shape, bits, rigorous=rigorous)


def apply(sketch: list[int], noise: Integers, deployment: Deployment, bits: Bits, *, rigorous: bool) -> Samples:
    """Release the sketch under noise from `draw`, one plan for each of its rows (paper sections 5.4 to 5.6).

    Args:
        sketch: exact mass of every atom in lattice units, from the kernel.
        noise: as `draw` returned it.
        deployment: public parameters.
        bits: source of the words that admission by peeling needs; other mechanisms take none.
        rigorous: False lets float64 decide what is beyond doubt, with identical results.
    """
    mechanism = calibrate(deployment, len(sketch))
    if isinstance(mechanism, Peeling):
        return admit_by_peeling(sketch, mechanism.exponent, noise, bits, rigorous=rigorous)
    return admit(sketch, noise, deployment.plan.size)


def release(sketch: list[int], deployment: Deployment, bits: Bits, runs: int = 1, *, rigorous: bool = True) -> Samples:
    """Release `runs` independent plans of one sketch (paper section 4.2).

    Args:
        sketch: exact mass of every atom in lattice units, from the kernel.
        deployment: public parameters.
        bits: source of uniform words; a release takes `SystemBits`.
        runs: number of plans; audits ask for many.
        rigorous: as in `apply`.
    """
    noise = draw(deployment, len(sketch), bits, runs, rigorous=rigorous)
    return apply(sketch, noise, deployment, bits, rigorous=rigorous)


def inject(sketch: list[int], noise: Noise, plan_size: int, source: Source) -> Samples:
    """One plan as `release` gives it, under noise from outside; whoever calls this stamps the plan.

    Args:
        sketch: exact mass of every atom in lattice units, from the kernel.
        noise: the calibrated mechanism.
        plan_size: L.
        source: answers in place of `draw` and of admission.
    """
    if not isinstance(noise, Peeling):
        return admit(sketch, _put_in(noise, sketch, source, "sketch"), plan_size)
    admitted = source.peel(sketch, noise.exponent, min(plan_size, len(sketch)), label="admission")
    exact = [sketch[atom] for atom in sorted(admitted)]
    return in_order(sketch, np.array([admitted], np.int64), _put_in(noise.values, exact, source, "values"))


def _put_in(noise: LaplaceNoise | GaussianNoise, values: list[int], source: Source, label: str) -> Integers:
    """The noise of the source's answer: int64[1, number of values]."""
    if isinstance(noise, LaplaceNoise):
        noisy = source.laplace(values, noise.scale, label=label)
    else:
        noisy = source.gaussian(values, noise.sigma, label=label)
    return np.array([noisy], np.int64) - np.array(values, np.int64)
