"""The statements of Appendix A, tried on many releases of one exact sketch (spec.md section 6).

A statement that may fail with probability beta is refuted only where an exact binomial bound puts its failure rate
above beta; the chance to refute a true one is at most ALPHA.  What follows with certainty must never fail at all.
Curator only: the losses are computed from the exact sketch.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin.accounting import utility
from dpspin.accounting.calibration import GaussianNoise, Peeling
from dpspin.adjacency import MASS_UNIT
from dpspin.curator.full_sketch import Samples
from dpspin.curator.noise import Bits, Integers
from dpspin.curator.release import apply, draw
from dpspin.errors import ImpossibleError
from dpspin.kernel import highest
from dpspin.pipeline import Setting
from dpspin_audits.statistics.bounds import rate_at_least
from dpspin_experiments.metrics import losses

ALPHA = 1e-6
Bools = npt.NDArray[np.bool_]


class Tried(NamedTuple):
    """One statement at one setting."""

    statement: str
    bound: float
    """In units of mass."""
    allowed: float
    """Probability with which it may fail; 0 where it follows from another event."""
    tried: int
    """Releases to which it applies."""
    failed: int

    @property
    def refuted(self) -> bool:
        """Whether the failures cannot be chance."""
        if self.allowed == 0:
            return self.failed > 0
        return bool(rate_at_least(self.failed, self.tried, ALPHA) > self.allowed)


class Releases(NamedTuple):
    """Many plans of one sketch, and what stands above and below them; masses in lattice units."""

    setting: Setting
    sketch: list[int]
    noise: Integers
    """int64[runs, m], or int64[runs, L] with sparse admission."""
    samples: Samples
    beta: Fraction


def release(setting: Setting, sketch: list[int], runs: int, beta: Fraction, bits: Bits) -> Releases:
    """As many plans as asked for, by the core call that every release uses."""
    noise = draw(setting.deployment, len(sketch), bits, runs, rigorous=False)
    samples = apply(sketch, noise, setting.deployment, bits, rigorous=False)
    return Releases(setting, sketch, noise, samples, beta)


def tried(seen: Releases) -> list[Tried]:
    """Every statement that is about the mechanism.

    Raises:
        ImpossibleError: when the universe is no larger than the plan, so that nothing can be lost.
    """
    if seen.setting.deployment.plan.size >= len(seen.sketch):
        raise ImpossibleError("all atoms are admitted: there is no boundary to try")
    return list(_sparse(seen) if isinstance(seen.setting.noise, Peeling) else _full(seen))


def _full(seen: Releases) -> Iterator[Tried]:
    """A.1 or A.2, and what follows from it by A.3 in every release whose errors are within it."""
    atoms, size = len(seen.sketch), seen.setting.deployment.plan.size
    largest = np.abs(seen.noise).max(axis=1) / MASS_UNIT
    lost = losses(seen.sketch, seen.samples, size)
    exact = utility.noise_floor(seen.setting.noise, atoms, size, seen.beta) / MASS_UNIT
    forms = [*_uniform(seen, atoms), ("exact quantile on the lattice", exact)]
    for name, bound in forms:
        yield _bounded(name, bound, seen.beta, largest)
    tau = forms[0][1]
    within = largest <= tau
    yield Tried("A.3 loss <= 2 L tau", 2 * size * tau, 0, *_failures(lost > 2 * size * tau, within))
    sharper = 2 * min(size, atoms - size) * tau
    yield Tried("A.3 loss <= 2 tau min(L, m - L)", sharper, 0, *_failures(lost > sharper, within))
    best_mass = sum(seen.sketch[atom] for atom in highest(seen.sketch, size)) / MASS_UNIT
    if best_mass:
        least = 1 - 2 * size * tau / best_mass
        short = 1 - lost / best_mass < least
        yield Tried("A.3 MassRetained >= 1 - 2 L tau / M", least, 0, *_failures(short, within))
    if utility.separated(seen.sketch, size, Fraction(tau * MASS_UNIT)):
        best = set(highest(seen.sketch, size))
        other = np.array([set(row) != best for row in seen.samples.atoms.tolist()])
        yield Tried("A.3 gap above 2 tau: the exact top L", 2 * tau, 0, *_failures(other, within))


def _uniform(seen: Releases, atoms: int) -> list[tuple[str, float]]:
    """The closed forms for the largest of so many errors."""
    noise = seen.setting.noise
    if isinstance(noise, Peeling):
        noise = noise.values
    if isinstance(noise, GaussianNoise):
        sigma = float(noise.sigma / MASS_UNIT)
        return [
            ("A.2 sigma sqrt(2 ln(2 m / beta))", utility.gaussian_error(sigma, atoms, float(seen.beta))),
            ("sharper sigma sqrt(2 ln(m / beta))", utility.sharper_gaussian_error(sigma, atoms, float(seen.beta))),
        ]
    return [("A.1 b ln(m / beta)", utility.laplace_error(float(noise.scale / MASS_UNIT), atoms, float(seen.beta)))]


def _sparse(seen: Releases) -> Iterator[Tried]:
    """Loss and gap of peeling, errors of the admitted values, and both at once at 1 - 2 beta."""
    noise, size = seen.setting.noise, seen.setting.deployment.plan.size
    if not isinstance(noise, Peeling):
        raise ImpossibleError("not a sparse mechanism")
    shape = float(noise.exponent * MASS_UNIT), len(seen.sketch), size, float(seen.beta)
    lost = losses(seen.sketch, seen.samples, size)
    loss, gap = utility.admission_loss(*shape), utility.admission_gap(*shape)
    yield _bounded("sparse admission: loss", loss, seen.beta, lost)
    yield _bounded("sparse admission: gap to an atom left out", gap, seen.beta, _gaps(seen))
    exact = np.asarray(seen.sketch, np.int64)[seen.samples.atoms]
    largest = np.abs(seen.samples.masses - exact).max(axis=1) / MASS_UNIT
    forms = _uniform(seen, size)
    for name, bound in forms:
        yield _bounded(f"values: {name}".replace("2 m", "2 L").replace("(m", "(L"), bound, seen.beta, largest)
    allowed = 2 * float(seen.beta)
    either = (lost > loss) | (largest > forms[-1][1])
    yield Tried("loss and values at once", loss, allowed, len(either), int(either.sum()))


def _gaps(seen: Releases) -> npt.NDArray[np.float64]:
    """How far the lowest admitted atom lies below the highest that was left out; negative where it lies above."""
    exact = np.asarray(seen.sketch, np.int64)
    admitted = np.zeros((len(seen.samples.atoms), len(exact)), np.bool_)
    np.put_along_axis(admitted, seen.samples.atoms.astype(np.int64), True, axis=1)
    lowest = exact[seen.samples.atoms].min(axis=1)
    left: npt.NDArray[np.float64] = (np.where(admitted, -1, exact).max(axis=1) - lowest) / MASS_UNIT
    return left


def _bounded(name: str, bound: float, beta: Fraction, values: npt.NDArray[np.float64]) -> Tried:
    return Tried(name, bound, float(beta), len(values), int((values > bound).sum()))


def _failures(wrong: Bools, applies: Bools) -> tuple[int, int]:
    return int(applies.sum()), int((wrong & applies).sum())
