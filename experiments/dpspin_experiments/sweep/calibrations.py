"""The scales of noise that this project uses beside those of the paper, at the main setting of a sweep.

They depend on public parameters alone.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from dpspin.accounting.calibration import GaussianNoise, LaplaceNoise, Peeling
from dpspin.accounting.gaussian import classical_sigma
from dpspin.adjacency import MASS_UNIT, sensitivity
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.conditions import Condition, conditions


class Calibration(NamedTuple):
    """Scales at one epsilon, in units of mass; exponents per unit of mass."""

    epsilon: str
    laplace: float
    """b of a full sketch."""
    gaussian: float
    """sigma of a full sketch, by the exact condition on delta."""
    classical: float | None
    """sigma by the classical rule; None where it is not proved."""
    paper: float
    """Exponent of a round of admission, as in the paper."""
    tight: float
    """The same where the rounds spend exactly what they may."""


def calibrations(bench: Bench) -> list[Calibration]:
    """One row for every epsilon of the first grid."""
    return list(_rows(bench))


def _rows(bench: Bench) -> Iterator[Calibration]:
    grid, delta = bench.sweep.grids[0], bench.sweep.delta
    first = next(conditions(grid, bench.sweep))
    for epsilon in grid.epsilons:
        at = first._replace(epsilon=epsilon.text)
        setting = bench.setting(at._replace(mechanism="laplace", delta="0"), 0)
        terms = setting.deployment
        l2_squared = sensitivity(terms.adjacency, terms.mass_bound, len(setting.universe)).l2_squared
        scales = [
            _scale(bench, at._replace(mechanism=name, delta="0" if name == "laplace" else delta.text))
            for name in ("laplace", "gaussian", "private_top_l", "private_top_l_tight")
        ]
        classical = classical_sigma(Fraction(epsilon), Fraction(delta), l2_squared)
        yield Calibration(epsilon.text, scales[0], scales[1], classical, scales[2], scales[3])


def _scale(bench: Bench, condition: Condition) -> float:
    noise = bench.setting(condition, 0).noise
    match noise:
        case LaplaceNoise():
            return float(noise.scale / MASS_UNIT)
        case GaussianNoise():
            return float(noise.sigma / MASS_UNIT)
        case Peeling():
            return float(noise.exponent * MASS_UNIT)
