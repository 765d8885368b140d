"""Scores learned from training runs, for subjects whose law is unknown.

Ridge-penalised logistic regression on plan features, then the log-likelihood ratio within quantile bins of its output;
and for low-order bits one table of log-likelihood ratios per probed atom (Bichsel et al. 2021 learn a classifier in the
same spirit).  What is learned may be poor but never invalid: bounds come from runs that learning has not seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dpspin_audits.statistics.features import Grid, Seen, bit_cell_count, bit_cells, plan_features

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

BINS = 64
RIDGE = 1.0
STEPS = 8
SIZES = 16
"""Coarse sizes that low-order bits are crossed with."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Logistic regression on rows of features, calibrated by bins."""

    weights: Floats
    """float64[features + 1], the last one the intercept."""
    edges: Floats
    ratios: Floats
    """float64[bins]: log-likelihood ratio of each bin, with against without."""

    def __call__(self, features: Floats) -> Floats:
        """Scores, float64[rows]."""
        return np.asarray(self.ratios[np.searchsorted(self.edges, _line(features, self.weights), side="right")])


def fit(without: Floats, with_: Floats, bins: int = BINS) -> Fitted:
    """Fit on features, float64[rows, features], of training runs of both corpora."""
    weights = _logistic(np.concatenate([without, with_]), np.repeat([0.0, 1.0], [len(without), len(with_)]))
    lines = [_line(rows, weights) for rows in (without, with_)]
    edges = np.unique(np.quantile(np.concatenate(lines), np.linspace(0, 1, bins + 1)[1:-1]))
    binned = [np.searchsorted(edges, line, side="right") for line in lines]
    return Fitted(weights, edges, _ratios(binned[0], binned[1], len(edges) + 1))


@dataclass(frozen=True, slots=True)
class LearnedScore:
    """A fitted score of what is seen of plans."""

    centre: Floats
    """float64[probes]: medians of training masses, in units of mass."""
    scale: float
    fitted: Fitted

    def __call__(self, seen: Seen) -> Floats:
        """Scores, float64[runs]."""
        return self.fitted(plan_features(seen, self.centre, self.scale))


def learn(without: Seen, with_: Seen, scale: float) -> LearnedScore:
    """Fit the score on training runs of both corpora; `scale` is a typical size of the noise, in units of mass."""
    centre = np.median(np.concatenate([without.mass, with_.mass]), axis=0)
    rows = [plan_features(seen, centre, scale) for seen in (without, with_)]
    return LearnedScore(centre, scale, fit(rows[0], rows[1]))


@dataclass(frozen=True, slots=True)
class BitScore:
    """Sum over probed atoms of the log-likelihood ratio of their cell."""

    grid: Grid
    ratios: Floats
    """float64[probes, cells]."""

    def __call__(self, seen: Seen) -> Floats:
        """Scores, float64[runs]."""
        cells = bit_cells(seen, self.grid)
        return np.asarray(sum(table[cells[:, probe]] for probe, table in enumerate(self.ratios)))


def learn_bits(without: Seen, with_: Seen, centres: Sequence[Sequence[float]] = (), scale: float = 1.0) -> BitScore:
    """Fit the tables on training runs of both corpora, masses unrounded.

    Args:
        without: training runs on the corpus without the unit.
        with_: the same with it.
        centres: exact masses of the probed atoms, without and with the unit.
        scale: of the noise, in units of mass.
    """
    edges = np.quantile(np.concatenate([without.mass, with_.mass]), np.linspace(0, 1, SIZES + 1)[1:-1], axis=0)
    grid = Grid(edges, tuple(np.asarray(centre) for centre in centres), scale)
    cells = [bit_cells(seen, grid) for seen in (without, with_)]
    count = bit_cell_count(grid)
    tables = [_ratios(cells[0][:, probe], cells[1][:, probe], count) for probe in range(edges.shape[1])]
    return BitScore(grid, np.array(tables))


def _line(features: Floats, weights: Floats) -> Floats:
    return np.asarray(features @ weights[:-1] + weights[-1])


def _logistic(features: Floats, labels: Floats) -> Floats:
    """Newton's method on the penalised likelihood; few steps, because only the order of its output matters."""
    rows = np.column_stack([features, np.ones(len(features))])
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        p = expit(rows @ weights)
        gradient = rows.T @ (labels - p) - RIDGE * weights
        curvature = (rows * (p * (1 - p))[:, None]).T @ rows + RIDGE * np.eye(len(weights))
        weights = weights + np.linalg.solve(curvature, gradient)
    return np.asarray(weights)


def _ratios(without: Integers, with_: Integers, count: int) -> Floats:
    """Log-likelihood ratio of each cell; half a run is added to every cell."""
    tallies = [np.bincount(cells, minlength=count) + 0.5 for cells in (without, with_)]
    logs = [np.log(tally / tally.sum()) for tally in tallies]
    return np.asarray(logs[1] - logs[0])
