"""The core call: the one function that releases, and that audits run."""

from dpspin.curator.full_sketch import Samples, admit, draw
from dpspin.curator.noise import Bits
from dpspin.deployment import Deployment


def release(sketch: list[int], deployment: Deployment, bits: Bits, runs: int = 1, *, rigorous: bool = True) -> Samples:
    """Release `runs` independent plans of one sketch (paper section 4.2, mechanism of section 5.4).

    Args:
        sketch: exact mass of every atom in lattice units, from the kernel.
        deployment: public parameters.
        bits: source of uniform words; a release takes `SystemBits`.
        runs: number of plans; audits ask for many.
        rigorous: False lets float64 decide the draws that are beyond doubt, with identical results.
    """
    noise = draw(deployment, len(sketch), bits, runs, rigorous=rigorous)
    return admit(sketch, noise, deployment.plan.size)
