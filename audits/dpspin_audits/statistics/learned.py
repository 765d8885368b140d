"""Scores learned from training runs, for subjects whose law is unknown.

Ridge-penalised logistic regression on plan features, then the log-likelihood ratio within quantile bins of its output;
and for low-order bits one table of log-likelihood ratios per probed atom (Bichsel et al. 2021 learn a classifier in the
same spirit).  What is learned may be poor but never invalid: bounds come from runs that learning has not seen.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dpspin_audits.statistics.features import Seen, bit_cell_count, bit_cells, plan_features

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

BINS = 64
RIDGE = 1.0
STEPS = 8
SIZES = 16
"""Coarse sizes that low-order bits are crossed with."""


@dataclass(frozen=True, slots=True)
class LearnedScore:
    """Logistic regression on plan features, calibrated by bins."""

    centre: Floats
    """float64[probes]: medians of training masses, in units of mass."""
    scale: float
    weights: Floats
    """float64[features + 1], the last one the intercept."""
    edges: Floats
    ratios: Floats
    """float64[bins]: log-likelihood ratio of each bin, with against without."""

    def __call__(self, seen: Seen) -> Floats:
        """Scores, float64[runs]."""
        line = _line(plan_features(seen, self.centre, self.scale), self.weights)
        return np.asarray(self.ratios[np.searchsorted(self.edges, line, side="right")])


def learn(without: Seen, with_: Seen, scale: float) -> LearnedScore:
    """Fit the score on training runs of both corpora; `scale` is a typical size of the noise, in units of mass."""
    centre = np.median(np.concatenate([without.mass, with_.mass]), axis=0)
    rows = [plan_features(seen, centre, scale) for seen in (without, with_)]
    weights = _logistic(np.concatenate(rows), np.repeat([0.0, 1.0], [len(rows[0]), len(rows[1])]))
    lines = [_line(row, weights) for row in rows]
    edges = np.unique(np.quantile(np.concatenate(lines), np.linspace(0, 1, BINS + 1)[1:-1]))
    binned = [np.searchsorted(edges, line, side="right") for line in lines]
    return LearnedScore(centre, scale, weights, edges, _ratios(binned[0], binned[1], len(edges) + 1))


@dataclass(frozen=True, slots=True)
class BitScore:
    """Sum over probed atoms of the log-likelihood ratio of their cell."""

    edges: Floats
    """float64[sizes - 1, probes]."""
    ratios: Floats
    """float64[probes, cells]."""

    def __call__(self, seen: Seen) -> Floats:
        """Scores, float64[runs]."""
        cells = bit_cells(seen, self.edges)
        return np.asarray(sum(table[cells[:, probe]] for probe, table in enumerate(self.ratios)))


def learn_bits(without: Seen, with_: Seen) -> BitScore:
    """Fit the tables on training runs of both corpora, masses unrounded."""
    edges = np.quantile(np.concatenate([without.mass, with_.mass]), np.linspace(0, 1, SIZES + 1)[1:-1], axis=0)
    cells = [bit_cells(seen, edges) for seen in (without, with_)]
    count = bit_cell_count(edges)
    tables = [_ratios(cells[0][:, probe], cells[1][:, probe], count) for probe in range(edges.shape[1])]
    return BitScore(edges, np.array(tables))


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
