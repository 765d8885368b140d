"""`dpspin report`: from evidence to pages and machine formats, two audits side by side, what stands behind a check."""

import datetime
import os
from collections.abc import Iterable
from pathlib import Path
from textwrap import fill
from urllib.parse import quote

import click

from dpspin import canonical
from dpspin.errors import UsageError
from dpspin_audits import files
from dpspin_audits.checks.explain import explanation, explanations
from dpspin_audits.cli.attest import Day
from dpspin_audits.formats import compare as comparison
from dpspin_audits.formats import index, made
from dpspin_audits.formats.opened import Evidence, opened
from dpspin_audits.formats.signatures import signature

EVIDENCE = "evidence.json"


@click.group()
def report() -> None:
    """Make reports of evidence files, compare audits, and explain checks."""


@report.command()
@click.argument("evidence", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--format", "formats", multiple=True, default=["html"], type=click.Choice(made.NAMES), show_default=True,
    help="May be given several times.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=click.Path(path_type=Path),
    help="File to write, or a folder for several formats (default: beside the evidence, under the usual names).",
)  # fmt: skip
@click.option("--pub", type=click.Path(path_type=Path), help="Public key that signatures of an index are held against.")
@click.option("--as-of", type=Day(), help="Day to which an index counts ages; none are shown without it.")
def build(
    evidence: tuple[Path, ...], formats: tuple[str, ...], output: Path | None, pub: Path | None,
    as_of: datetime.date | None,
) -> None:  # fmt: skip
    """Make the report of EVIDENCE, or an index of several.

    EVIDENCE is an evidence file, or a folder: then every evidence.json in it and below.  One evidence gives a report as
    html, markdown, pdf, sarif, junit, csv or registry; several give an index as html, csv or json.  HTML is one file
    without scripts or requests.

    Exit codes: 0 written; 2 what was given cannot be used; 5 the evidence contradicts itself or its signature.
    """
    paths = [path for given in evidence for path in _found(given)]
    read = {path: opened(files.read(path), str(path)) for path in paths}
    folder = _common(evidence)
    if len(read) == 1:
        for name, value in (("--pub", pub), ("--as-of", as_of)):
            if value is not None:
                raise UsageError(name, "is about an index of several audits", "leave it out, or name more evidence")
        results = made.of_one(next(iter(read.values())), formats)
        folder = next(iter(read)).parent
    else:
        key = files.read(pub) if pub else None
        base = _base(output, formats) or folder
        entries = [
            index.Entry(one, signature(one, path, key, as_of), _address(path, base)) for path, one in read.items()
        ]
        results = made.of_many(index.ordered(entries, as_of), formats, as_of)
    for path in _written(results, output, folder):
        click.echo(f"wrote {path}")


def _found(given: Path) -> list[Path]:
    """Evidence files of an argument.

    Raises:
        UsageError: when a folder holds none.
    """
    if not given.is_dir():
        return [given]
    found = sorted(given.rglob(EVIDENCE))
    if not found:
        raise UsageError(str(given), f"holds no {EVIDENCE}", "name the results folder of an audit")
    return found


def _common(given: tuple[Path, ...]) -> Path:
    """The folder of an index that nobody named a place for: the one argument, or what all of them lie in."""
    folders = [path if path.is_dir() else path.parent for path in given]
    return folders[0] if len(folders) == 1 else Path(os.path.commonpath([folder.absolute() for folder in folders]))


def _base(output: Path | None, formats: tuple[str, ...]) -> Path | None:
    """The folder in which an index will stand."""
    if output is None:
        return None
    return output if output.is_dir() or len(set(formats)) > 1 or "all" in formats else output.parent


def _address(evidence: Path, base: Path) -> str | None:
    """The report beside an evidence, as an address relative to the index; None where there is none below it."""
    page = evidence.with_name("report.html").absolute()
    if not page.is_file() or not page.is_relative_to(base.absolute()):
        return None
    return quote(page.relative_to(base.absolute()).as_posix(), safe="/")


def _written(results: dict[str, bytes], output: Path | None, folder: Path) -> Iterable[Path]:
    """Write the files, each whole or not at all, once all of them are made.

    Raises:
        UsageError: when one cannot be written.
    """
    if len(results) == 1 and output is not None and not output.is_dir():
        targets = {output: next(iter(results.values()))}
    else:
        targets = {(output or folder) / name: data for name, data in results.items()}
        _made(output or folder)
    for path, data in targets.items():
        files.write(path, data)
    return targets


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(str(folder), f"cannot be written ({error.strerror})", "name another folder") from error


@report.command()
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--markdown", "as_markdown", is_flag=True, help="As a table for a pull request.")
def compare(first: Path, second: Path, as_json: bool, as_markdown: bool) -> int:
    """Hold the evidence files (or results folders) FIRST and SECOND against each other.

    Exit codes: 0 the second is not worse; 1 it promises or costs more, finds or exposes something new, or answers less;
    2 the claims are about different units, relations or deltas, so that their losses are not on one scale.
    """
    if as_json and as_markdown:
        raise UsageError("--json, --markdown", "one form at a time", "choose one")
    found = comparison.compare(*(_one(place) for place in (first, second)))
    if as_json:
        click.echo(canonical.dumps(comparison.tree(found)).decode(), nl=False)
    else:
        click.echo(comparison.markdown(found) if as_markdown else comparison.text(found), nl=False)
    return int(found.worse)


def _one(place: Path) -> Evidence:
    path = place / EVIDENCE if place.is_dir() else place
    return opened(files.read(path), str(path))


HEADINGS = {
    "question": "Question",
    "argument": "Why the answer holds",
    "false_alarms": "False alarms",
    "on_failure": "On a failure",
    "sees": "Needs (strongest first)",
}


@report.command()
@click.argument("check", metavar="[ID]", required=False)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def explain(check: str | None, as_json: bool) -> None:
    """Explain the check ID of a report: question, argument, false alarms, and what to do on a failure.

    Without ID, all ids are listed with their questions.
    """
    if check is None:
        known = {id_: found.question for id_, found in sorted(explanations().items())}
        lines = "".join(f"{id_}\n{_indented(question)}\n" for id_, question in known.items())
        click.echo(canonical.dumps(known).decode() if as_json else lines, nl=False)
        return
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
