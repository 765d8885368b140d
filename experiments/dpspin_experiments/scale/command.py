"""`dpspin experiment sketch`: the exact sketch of a corpus in parts, for the curator alone."""

import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
from rich.text import Text

from dpspin import pipeline
from dpspin.errors import UsageError
from dpspin.pipeline import Released
from dpspin_audits.cli.inputs import setting_of
from dpspin_audits.files import Staging, check_free
from dpspin_experiments.scale import places
from dpspin_experiments.scale.sketch import Told, exact_sketch

NOTICE = "curator only: NON-PRIVATE, exact masses and counts of protected records"


@click.command(short_help="Compute the exact sketch of a corpus in parts.")
@click.argument("deployment", type=click.Path(path_type=Path))
@click.argument("corpus", metavar="CORPUS...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--workers", type=click.IntRange(1, 256), help="Processes of this machine (default: 1, or 2 if local).")
@click.option("--cluster", metavar="ADDR", help="A Dask scheduler, or `local` to start one; needs dpspin[scale].")
@click.option("--scratch", type=click.Path(path_type=Path), help="Folder for parts of users' sums (default: by OUT).")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="New folder, open to its owner alone.")
def sketch(  # noqa: PLR0913, PLR0917 - click decides the parameters
    deployment: Path, corpus: tuple[Path, ...], workers: int | None, cluster: str | None, scratch: Path | None,
    out: Path,
) -> None:  # fmt: skip
    """Compute the exact sketch of CORPUS under DEPLOYMENT: the integers that a release adds noise to.

    CORPUS is files of JSON Lines (plain or gzip) or Parquet, folders of them, or quoted patterns.  The result is the
    same for any number of workers and any order of files.  It is NON-PRIVATE; no ledger is charged, and no release can
    be made of it.
    """
    setting = setting_of(deployment)
    work = _place(workers, cluster)
    check_free(out)
    with ExitStack() as opened:
        staging = opened.enter_context(Staging(out, 0o700))
        folder = opened.enter_context(_scratch(scratch or out.parent))
        place, told = opened.enter_context(work), opened.enter_context(_progress())
        found = exact_sketch(corpus, setting, place, folder, told)
        written = pipeline.curator_files(Released({}, found.sketch, found.counts), setting)
        staging.put(written)
        staging.publish()
    click.echo(f"{NOTICE}\n{found.counts['records']} records in {found.parts} parts; {out}")


def _place(workers: int | None, cluster: str | None) -> AbstractContextManager[places.Place]:
    if cluster is None:
        return places.processes(workers or 1)
    if workers is not None and cluster != places.LOCAL:
        raise UsageError("--workers", f"without effect on {cluster}", "leave it out, or write --cluster local")
    return places.cluster(cluster, workers or 2)


@contextmanager
def _scratch(parent: Path) -> Iterator[Path]:
    """A folder for its owner alone that is gone when the context ends.

    Raises:
        UsageError: where it cannot be made.
    """
    try:
        folder = tempfile.TemporaryDirectory(prefix=".sketch-", dir=parent, ignore_cleanup_errors=True)
    except OSError as error:
        raise UsageError(str(parent), f"cannot be written ({error.strerror})", "name another --scratch") from error
    with folder as name:
        yield Path(name)


class _Speed(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Records a second since the beginning; parts come in jumps, of which a momentary speed would be made."""
        return Text(f"{task.completed / task.elapsed:,.0f} records/s" if task.elapsed else "")


@contextmanager
def _progress() -> Iterator[Told]:
    """On a terminal, how many records were read and how fast; for experiments only, never for a release."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.completed:,.0f} of {task.total:,.0f}"), BarColumn(), _Speed(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("records", total=0)
        yield lambda read, records: progress.update(task, completed=read, total=records)
