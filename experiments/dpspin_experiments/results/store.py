"""A sweep's folder: what is written beside the runs, and how the page reads it back without the data."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpspin.errors import UsageError
from dpspin_audits import files
from dpspin_audits.report.svg import svg
from dpspin_experiments.assignment.batch import by_unit
from dpspin_experiments.baselines import standing
from dpspin_experiments.baselines.standing import standings
from dpspin_experiments.metrics import AUDIENCE
from dpspin_experiments.results import methods
from dpspin_experiments.results.evidence import Evidence, Fidelities
from dpspin_experiments.results.fidelities import fidelities
from dpspin_experiments.results.figures import figures
from dpspin_experiments.sources.statistics import manifest
from dpspin_experiments.sweep import trials as appendix
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.calibrations import Calibration, calibrations
from dpspin_experiments.sweep.conditions import Condition, runs
from dpspin_experiments.sweep.displacement import Displacement, displacement
from dpspin_experiments.sweep.execute import CURATOR, RUNS, encode
from dpspin_experiments.sweep.groups import grouped, table
from dpspin_experiments.sweep.settings import Sweep, load
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
    index = {
        "audience": AUDIENCE,
        "runs": [run.id(digest) for run in runs(bench.sweep)],
        "trials": [[*trial.condition, *trial.tried] for trial in appendix.trials(bench)],
        "fidelities": [each._asdict() for each in fidelities(bench)],
        "standings": [each._asdict() for each in standings(bench)],
        "calibrations": [each._asdict() for each in calibrations(bench)],
        "displacement": _displacement(bench)._asdict(),
    }
    files.write(out / SWEEP, declared)
    files.write(curator / INDEX, encode(index))
    files.write(curator / "manifest.json", encode(_manifests(bench)))
    evidence = read(out)
    files.write(curator / "groups.csv", table(evidence.groups))
    files.write(curator / "theorems.csv", appendix.table(evidence.trials))
    files.write(curator / "methods.csv", methods.table(evidence.standings))
    for each in figures(evidence.sweep, evidence.groups):
        files.write(curator / f"{each.id}.svg", svg(each))
    return evidence


def read(out: Path) -> Evidence:
    """What a sweep's folder holds.

    Raises:
        UsageError: when a file is not there, or is not as this version writes it.
    """
    sweep = load(files.read(out / SWEEP), str(out / SWEEP))
    try:
        return _evidence(sweep, out / CURATOR)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        remedy = "run the sweep again; what is whole in it is kept"
        raise UsageError(str(out / CURATOR), "not as this version writes it", remedy) from error


def _evidence(sweep: Sweep, curator: Path) -> Evidence:
    index = json.loads(files.read(curator / INDEX))
    rows = [json.loads(files.read(curator / RUNS / f"{name}.json")) for name in index["runs"]]
    width = len(Condition._fields)
    tried = [Trial(Condition(*row[:width]), Tried(*row[width:])) for row in index["trials"]]
    return Evidence(
        sweep,
        grouped(rows),
        tried,
        [Fidelities(**each) for each in index["fidelities"]],
        [standing.decoded(each) for each in index["standings"]],
        [Calibration(**each) for each in index["calibrations"]],
        Displacement(**index["displacement"]),
    )


def _displacement(bench: Bench) -> Displacement:
    """At the first condition of the first grid."""
    grid = bench.sweep.grids[0]
    at = grid.unit, grid.universe_sizes[0]
    names = bench.data(*at, False).units()
    rows = bench.shares(*at, grid.max_atoms[0])
    units = names if grid.unit == "record" else list(dict.fromkeys(names))
    return displacement(rows if grid.unit == "record" else by_unit(rows, names), units, grid.mass_bounds[0])


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
