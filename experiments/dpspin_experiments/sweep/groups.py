"""Grouped summaries of runs by the paper's key (C.9): all seeds of one condition.

How many units and records a run really held is a statistic of its group, never part of the key.
"""

import csv
import io
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dpspin_experiments.sweep.conditions import Condition


class Spread(NamedTuple):
    """Statistics of one measure over the seeds; of none, where it was defined in no run."""

    runs: int
    mean: float
    least: float
    most: float
    deviation: float
    """Sample standard deviation; 0 of one run."""


class Group(NamedTuple):
    """All runs of one condition."""

    condition: Condition
    grids: tuple[str, ...]
    failed: int
    universe_size: int | None
    """As realised."""
    figures: Mapping[str, Spread]
    """Measures, and effective_units and effective_records."""

    def mean(self, figure: str) -> float | None:
        """The mean of a measure, or None where no run has it."""
        spread = self.figures.get(figure)
        return None if spread is None else spread.mean


def grouped(rows: Iterable[Mapping[str, Any]]) -> list[Group]:
    """Stored runs by condition, in the order of the first run of each."""
    by_condition: defaultdict[Condition, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_condition[Condition(**row["condition"])].append(row)
    return [_group(condition, members) for condition, members in by_condition.items()]


def spread(values: Sequence[float]) -> Spread:
    """Statistics of at least one value."""
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return Spread(len(values), statistics.fmean(values), min(values), max(values), deviation)


def table(groups: Sequence[Group]) -> bytes:
    """All groups as CSV, one measure of one group a row."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["audience", *Condition._fields, "realised_universe_size", "failed", "measure", *Spread._fields])
    for group in groups:
        key = ["curator only", *("" if x is None else x for x in group.condition), group.universe_size, group.failed]
        for name, values in sorted(group.figures.items()):
            writer.writerow([*key, name, values.runs, *(f"{x:.9g}" for x in values[1:])])
    return out.getvalue().encode()


def _group(condition: Condition, rows: Sequence[Mapping[str, Any]]) -> Group:
    done = [row for row in rows if "failed" not in row]
    values: defaultdict[str, list[float]] = defaultdict(list)
    for row in done:
        effective = {f"effective_{name}": count for name, count in row["effective"].items()}
        for name, value in {**row["figures"], **effective}.items():
            if value is not None:
                values[name].append(value)
    figures = {name: spread(found) for name, found in values.items()}
    grids = tuple(sorted({grid for row in rows for grid in row["grids"]}))
    size = done[0]["realised_universe_size"] if done else None
    return Group(condition, grids, len(rows) - len(done), size, figures)
