"""`dpspin experiment`: sweeps, and the paper's claims beside what they measured.  All results are for the curator."""

import os
from importlib.resources import files as resources
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from dpspin.errors import UsageError
from dpspin_audits import files
from dpspin_experiments.attack.command import attack
from dpspin_experiments.baselines.command import baselines
from dpspin_experiments.judging.command import judge
from dpspin_experiments.results import page
from dpspin_experiments.results.store import read, store
from dpspin_experiments.scale.command import sketch
from dpspin_experiments.sources import reading
from dpspin_experiments.sources.gathering import Gathered
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.conditions import runs
from dpspin_experiments.sweep.execute import execute
from dpspin_experiments.sweep.settings import Embedded, OneFile, Sweep, load

DATA = "DPSPIN_DATA"
NOTICE = "curator only: NON-PRIVATE, computed from exact sketches"
SHIPPED = "sweeps"
SCHEMAS = {"sweep": Sweep.model_json_schema}
"""File formats of this package, for `dpspin schema`, which finds them beside the command."""


@click.group()
def experiment() -> None:
    """Run the paper's evaluation, and print its claims beside what was measured.

    Results are computed from exact sketches: they are NON-PRIVATE and for the curator alone.
    """


experiment.add_command(attack)
experiment.add_command(baselines)
experiment.add_command(judge)
experiment.add_command(sketch)


@experiment.command("run", short_help="Run a sweep and group its results.")
@click.argument("sweep", required=False, type=click.Path(path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), help=f"Folder of data files (default: ${DATA}, else here).")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of results; runs in it are kept.")
def run_sweep(sweep: Path | None, data: Path | None, out: Path) -> int:
    """Run SWEEP (a YAML file, the name of a shipped one, or by default embedded) and group its results.

    A run that fails leaves the others alone.  Exit code 1 where any failed, or a statement or a claim was refuted.
    """
    declared, place = _declared(sweep)
    settings = load(declared, place)
    bench = Bench(settings, _gathered(settings, data or Path(os.environ.get(DATA, "."))))
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(settings.name, total=len(runs(settings)))
        counts = execute(bench, out, lambda: progress.advance(task))
    evidence = store(bench, declared, out)
    refuted = sum(trial.tried.refuted for trial in evidence.trials)
    click.echo(f"{NOTICE}\n{counts.done} runs done, {counts.kept} kept, {counts.failed} failed; {out}")
    click.echo(f"{len(evidence.trials)} statements of Appendix A tried, {refuted} refuted")
    accused = [each.name for each in evidence.standings if each.refuted]
    if evidence.standings:
        click.echo(f"{len(evidence.standings)} methods compared, claims refuted: {', '.join(accused) or 'none'}")
    return int(counts.failed > 0 or refuted > 0 or bool(accused))


@experiment.command("results", short_help="Write the paper's claims beside what was measured.")
@click.argument("folders", metavar="FOLDER...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for results.html and results.csv.")
def print_results(folders: tuple[Path, ...], out: Path) -> None:
    """Write the paper's claims beside what the sweeps in FOLDER... measured, and why they differ."""
    evidence = [read(folder) for folder in folders]
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(str(out), f"cannot be made ({error.strerror})", "name another folder") from error
    files.write(out / "results.html", page.page(evidence).encode())
    files.write(out / "results.csv", page.table(evidence))
    click.echo(NOTICE)
    for each in evidence:
        verdicts = [row.finding.verdict for row in page.judged(each)]
        tally = ", ".join(f"{verdicts.count(name)} {name}" for name in ("agrees", "differs", "not measured"))
        click.echo(f"{each.sweep.name}: {tally}")
    click.echo(str(out / "results.html"))


def _declared(path: Path | None) -> tuple[bytes, str]:
    """The bytes of a sweep file, or of a shipped sweep of that name."""
    name = "embedded" if path is None else str(path)
    known = resources("dpspin_experiments") / SHIPPED / f"{name}.yaml"
    if "/" not in name and known.is_file():
        return known.read_bytes(), f"{name}.yaml"
    return files.read(Path(name)), name


def _gathered(settings: Sweep, folder: Path) -> Gathered:
    source = settings.source
    if isinstance(source, Embedded):
        return reading.invented(source.records)
    named = (source.file,) if isinstance(source, OneFile) else (source.reviews, source.businesses)
    return reading.read(source.kind, folder, *named)
