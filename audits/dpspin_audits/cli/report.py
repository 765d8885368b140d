"""`dpspin report`: from evidence to a page."""

from pathlib import Path

import click

from dpspin import canonical
from dpspin_audits import files
from dpspin_audits.report import render


@click.group()
def report() -> None:
    """Make reports of evidence files."""


@report.command()
@click.argument("evidence", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write (default: report.html beside it).")
def build(evidence: Path, output: Path | None) -> None:
    """Make the HTML report of EVIDENCE, one file without scripts or requests."""
    page = render.render(canonical.loads(files.read(evidence), str(evidence)))
    target = output or evidence.with_name("report.html")
    files.write(target, page.encode())
    click.echo(f"wrote {target}")
