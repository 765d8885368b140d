"""What the noise does to a plan: the statements of the paper's Appendix A as functions (spec.md section 6).

Masses, scales and errors of one call share one unit, whichever the caller takes; only `noise_floor` counts lattice
units.  Closed forms are binary64 and meant to be read to a few digits: nothing is released or refused by them.
"""

import math
from fractions import Fraction

from dpspin.accounting.calibration import LaplaceNoise, Noise, Peeling
from dpspin.enclosure import gaussian_floor, laplace_floor


def noise_floor(noise: Noise, universe_size: int, plan_size: int, beta: Fraction) -> int:
    """tau: the least integer that no released noise exceeds with probability at least 1 - beta, exact on the lattice.

    Noise on the full sketch counts over all m atoms, because any of them may be admitted by its noise; peeling admits
    before it adds noise, and only the L admitted values count.

    Args:
        noise: the calibrated mechanism.
        universe_size: m.
        plan_size: L; all atoms are admitted where the universe is smaller.
        beta: probability that some noise exceeds tau.
    """
    if isinstance(noise, Peeling):
        return noise_floor(noise.values, min(plan_size, universe_size), plan_size, beta)
    if isinstance(noise, LaplaceNoise):
        return laplace_floor(noise.scale, universe_size, beta)
    return gaussian_floor(noise.sigma, universe_size, beta)


def laplace_error(scale: float, atoms: int, beta: float) -> float:
    """b ln(m / beta), which the largest of m Laplace errors exceeds with probability at most beta (A.1)."""
    return scale * math.log(atoms / beta)


def gaussian_error(sigma: float, atoms: int, beta: float) -> float:
    """sigma sqrt(2 ln(2 m / beta)): the largest of m Gaussian errors exceeds it with probability <= beta (A.2)."""
    return sigma * math.sqrt(2 * math.log(2 * atoms / beta))


def sharper_gaussian_error(sigma: float, atoms: int, beta: float) -> float:
    """sigma sqrt(2 ln(m / beta)), valid as well: P(|N(0, 1)| > x) <= exp(-x^2 / 2)."""
    return sigma * math.sqrt(2 * math.log(atoms / beta))


def top_l_loss(tau: Fraction, plan_size: int) -> Fraction:
    """2 L tau: the most true mass that noise of at most tau can cost the admitted set (A.3, as in the paper)."""
    return 2 * plan_size * tau


def sharper_top_l_loss(tau: Fraction, plan_size: int, universe_size: int) -> Fraction:
    """2 tau min(L, m - L): only atoms that changed places count, and where L >= m there are none."""
    return 2 * tau * min(plan_size, max(universe_size - plan_size, 0))


def separated(masses: list[int], plan_size: int, tau: Fraction) -> bool:
    """Gamma_L = C_(L) - C_(L+1) > 2 tau: noise of at most tau then admits exactly the true top L (A.3)."""
    ordered = sorted(masses, reverse=True)
    return plan_size >= len(ordered) or ordered[plan_size - 1] - ordered[plan_size] > 2 * tau


def mass_retained(tau: Fraction, plan_size: int, best_mass: Fraction) -> Fraction | None:
    """MassRetained >= 1 - 2 L tau / M(S*; C), for noise of at most tau; None where M(S*; C) = 0.

    Args:
        tau: largest noise.
        plan_size: L.
        best_mass: M(S*; C), the true mass of the true top L; known to the curator alone.
    """
    return 1 - top_l_loss(tau, plan_size) / best_mass if best_mass > 0 else None


def admission_gap(exponent: float, universe_size: int, plan_size: int, beta: float) -> float:
    """(1 / eta) ln(m L / beta): no admitted atom lies further below an atom left out, with probability >= 1 - beta.

    In round t the m - t + 1 atoms that are left compete; the first round has the widest bound.  0 where L >= m: no
    atom is left out.
    """
    return math.log(universe_size * plan_size / beta) / exponent if plan_size < universe_size else 0.0


def admission_loss(exponent: float, universe_size: int, plan_size: int, beta: float) -> float:
    """sum over rounds t of (1 / eta) ln((m - t + 1) L / beta): the most true mass that peeling costs, as above."""
    if plan_size >= universe_size:
        return 0.0
    return sum(math.log((universe_size - t) * plan_size / beta) for t in range(plan_size)) / exponent
