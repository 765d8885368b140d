"""All runs of a sweep, each by itself: one that fails leaves the others alone, and what is done is not done again.

`deployments/` holds what each run declared; everything in `curator_only/` is computed from exact sketches.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dpspin.errors import DpspinError, UsageError
from dpspin_audits import files
from dpspin_experiments.metrics import AUDIENCE
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.conditions import Run, runs
from dpspin_experiments.sweep.measure import measure

CURATOR, DEPLOYMENTS, RUNS = "curator_only", "deployments", "runs"
OWNER_ALONE = 0o700
Measure = Callable[[Run, Bench, bytes], dict[str, Any]]


class Counts(NamedTuple):
    """Runs by their fate."""

    done: int
    """In this call."""
    kept: int
    """From an earlier one."""
    failed: int


def execute(bench: Bench, out: Path, tick: Callable[[], None], work: Measure = measure) -> Counts:
    """Run what is not there yet.

    Args:
        bench: sweep and data.
        out: folder of results; runs that it holds already are kept.
        tick: called after every run.
        work: what a run is.

    Raises:
        UsageError: when the folder cannot be written.
    """
    _prepare(out)
    digest = bench.digest()
    tally = dict.fromkeys(Counts._fields, 0)
    for run, grids in runs(bench.sweep).items():
        fate = _one(run, grids, bench, out / CURATOR / RUNS / f"{run.id(digest)}.json", work)
        tally[fate] += 1
        tick()
    return Counts(**tally)


def results(bench: Bench, out: Path) -> Iterator[Mapping[str, Any]]:
    """What is stored of every run that the sweep asks for, failures included.

    Raises:
        UsageError: when a run is not there.
    """
    digest = bench.digest()
    for run in runs(bench.sweep):
        yield json.loads(files.read(out / CURATOR / RUNS / f"{run.id(digest)}.json"))


def encode(tree: Mapping[str, Any]) -> bytes:
    """JSON of results: keys sorted, numbers as binary64; no NaN."""
    return json.dumps(tree, indent=1, sort_keys=True, allow_nan=False).encode() + b"\n"


def _one(run: Run, grids: tuple[str, ...], bench: Bench, place: Path, work: Measure) -> str:
    """Do a run unless it is done, and store what came of it."""
    kept = _stored(place)
    if kept is not None and "failed" not in kept:
        if kept["grids"] != list(grids):
            files.write(place, encode({**kept, "grids": list(grids)}))
        return "kept"
    try:
        row = work(run, bench, bytes.fromhex(place.stem))
        declared = bench.of(run)[0].deployment_bytes
        files.write(place.parents[2] / DEPLOYMENTS / f"{place.stem}.yaml", declared)
        fate = "done"
    except Exception as error:  # whatever it is, the other runs go on
        said = str(error) if isinstance(error, DpspinError) else ""
        row = {
            "audience": AUDIENCE, "condition": run.condition._asdict(), "seed": run.seed,
            "failed": {"error": type(error).__name__, "text": said},
        }  # fmt: skip
        fate = "failed"
    files.write(place, encode({**row, "grids": list(grids)}))
    return fate


def _stored(place: Path) -> dict[str, Any] | None:
    try:
        tree = json.loads(place.read_bytes())
    except (OSError, ValueError):  # not there, or cut short by a kill: it is done anew
        return None
    return tree if isinstance(tree, dict) and "grids" in tree else None


def _prepare(out: Path) -> None:
    try:
        (out / DEPLOYMENTS).mkdir(parents=True, exist_ok=True)
        (out / CURATOR).mkdir(mode=OWNER_ALONE, exist_ok=True)
        (out / CURATOR / RUNS).mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(str(out), f"cannot be written ({error.strerror})", "name another folder") from error
