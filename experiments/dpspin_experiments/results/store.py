"""A sweep's folder: what is written beside the runs, and how the page reads it back without the data."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpspin.adjacency import Unit
from dpspin_audits import files
from dpspin_audits.report.svg import svg
from dpspin_experiments.assignment.fidelity import fidelity
from dpspin_experiments.metrics import AUDIENCE
from dpspin_experiments.results.evidence import Evidence, Fidelities
from dpspin_experiments.results.figures import figures
from dpspin_experiments.sources.statistics import manifest
from dpspin_experiments.sweep import trials as appendix
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.conditions import Condition, runs
from dpspin_experiments.sweep.execute import CURATOR, RUNS, encode
from dpspin_experiments.sweep.groups import grouped, table
from dpspin_experiments.sweep.settings import load
from dpspin_experiments.sweep.theorems import Tried
from dpspin_experiments.sweep.trials import Trial

SWEEP, INDEX = "sweep.yaml", "index.json"


def store(bench: Bench, declared: bytes, out: Path) -> Evidence:
    """Write the sweep, an index of its runs, manifests, statements, groups and figures; all but the sweep in
    `curator_only/`.

    Args:
        bench: data whose runs are done.
        declared: the bytes of the sweep file.
        out: the folder that `execute` has filled.

    Raises:
        UsageError: when a file cannot be written.
    """
    digest, curator = bench.digest(), out / CURATOR
    found = _fidelity(bench)
    index = {
        "audience": AUDIENCE,
        "runs": [run.id(digest) for run in runs(bench.sweep)],
        "trials": [[*trial.condition, *trial.tried] for trial in appendix.trials(bench)],
        "fidelity": None if found is None else found._asdict(),
    }
    files.write(out / SWEEP, declared)
    files.write(curator / INDEX, encode(index))
    files.write(curator / "manifest.json", encode(_manifests(bench)))
    evidence = read(out)
    files.write(curator / "groups.csv", table(evidence.groups))
    files.write(curator / "theorems.csv", appendix.table(evidence.trials))
    for each in figures(evidence.sweep, evidence.groups):
        files.write(curator / f"{each.id}.svg", svg(each))
    return evidence


def read(out: Path) -> Evidence:
    """What a sweep's folder holds.

    Raises:
        UsageError: when a file is not there.
    """
    sweep = load(files.read(out / SWEEP), str(out / SWEEP))
    index = json.loads(files.read(out / CURATOR / INDEX))
    rows = [json.loads(files.read(out / CURATOR / RUNS / f"{name}.json")) for name in index["runs"]]
    width = len(Condition._fields)
    tried = [Trial(Condition(*row[:width]), Tried(*row[width:])) for row in index["trials"]]
    found = None if index["fidelity"] is None else Fidelities(**index["fidelity"])
    return Evidence(sweep, grouped(rows), tried, found)


def _first(bench: Bench) -> tuple[Unit, int, int]:
    grid = bench.sweep.grids[0]
    return grid.unit, grid.universe_sizes[0], grid.max_atoms[0]


def _fidelity(bench: Bench) -> Fidelities | None:
    """Assignment against labels, at the first condition of the first grid."""
    unit, universe_size, max_atoms = _first(bench)
    data = bench.data(unit, universe_size, False)
    labels = [entry.label for entry in data.halves.protected]
    found = fidelity(bench.shares(unit, universe_size, max_atoms), labels, data.universe.labels)
    if found is None:
        return None
    return Fidelities(
        len(data.universe), found.top_one, found.variation_covered, found.variation, found.top_overlap
    )  # fmt: skip


def _manifests(bench: Bench) -> Mapping[str, Any]:
    """Data and atoms of every unit and size that the sweep uses."""
    used = {(grid.unit, size) for grid in bench.sweep.grids for size in grid.universe_sizes}
    return {
        f"{unit}-{size}": {
            "data": manifest(bench.gathered, bench.data(unit, size, False)),
            "atoms": bench.prepared(unit, size).manifest,
        }
        for unit, size in sorted(used)
    }
