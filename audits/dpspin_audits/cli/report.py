"""`dpspin report`: from evidence to a page, and what stands behind a check."""

from pathlib import Path
from textwrap import fill

import click

from dpspin import canonical
from dpspin_audits import files
from dpspin_audits.checks.explain import explanation
from dpspin_audits.report import render


@click.group()
def report() -> None:
    """Make reports of evidence files, and explain checks."""


@report.command()
@click.argument("evidence", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write (default: report.html beside it).")
def build(evidence: Path, output: Path | None) -> None:
    """Make the HTML report of EVIDENCE, one file without scripts or requests."""
    page = render.render(canonical.loads(files.read(evidence), str(evidence)))
    target = output or evidence.with_name("report.html")
    files.write(target, page.encode())
    click.echo(f"wrote {target}")


HEADINGS = {
    "question": "Question",
    "argument": "Why the answer holds",
    "false_alarms": "False alarms",
    "on_failure": "On a failure",
    "sees": "Needs (strongest first)",
}


@report.command()
@click.argument("check", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def explain(check: str, as_json: bool) -> None:
    """Explain the check ID of a report: question, argument, false alarms, and what to do on a failure."""
    found = explanation(check)
    if as_json:
        click.echo(canonical.dumps({"id": check, **found._asdict()}), nl=False)
        return
    click.echo(check)
    for field, heading in HEADINGS.items():
        click.echo(f"\n{heading}\n{_indented(getattr(found, field))}")
    if found.references:
        click.echo(f"\nReferences\n{_indented('; '.join(found.references))}")


def _indented(text: str) -> str:
    return fill(text, 96, initial_indent="  ", subsequent_indent="  ")
