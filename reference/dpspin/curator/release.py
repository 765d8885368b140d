"""The core call: the one function that releases, and that audits run."""

from dpspin.accounting.calibration import GaussianNoise, LaplaceNoise, Peeling, calibrate
from dpspin.curator.admission import admit_by_peeling
from dpspin.curator.full_sketch import Samples, admit
from dpspin.curator.noise import Bits, Integers, gaussian, laplace
from dpspin.deployment import Deployment


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
