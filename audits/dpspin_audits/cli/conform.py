"""`dpspin conform`: an implementation against the vectors, step by step."""

import sys
from collections import Counter
from itertools import groupby
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from dpspin import canonical
from dpspin.errors import UsageError
from dpspin_audits import addresses, files
from dpspin_audits.cli.inputs import setting_of
from dpspin_audits.conformance import junit, suite
from dpspin_audits.conformance.run import Outcome, answers_of, run
from dpspin_audits.conformance.suite import Case
from dpspin_audits.reference_subject import ReferenceSubject

MOST_SHOWN = 20


@click.command()
@click.argument("deployment", required=False, type=click.Path(path_type=Path))
@click.option("--impl", default="ref", metavar="SPEC", help='ref, py:module:attr, or cmd:"COMMAND".')
@click.option(
    "--timeout", "seconds", type=click.FloatRange(0, 3600, min_open=True), help="Seconds for an answer of a command."
)
@click.option("--pattern", default="", metavar="RE", help="Only vectors whose name (step/number) or flag matches.")
@click.option("--junit", "report", type=click.Path(path_type=Path), help="Write JUnit XML here.")
@click.option("--dump", is_flag=True, help="Print the vectors as JSON Lines instead of running them.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line a vector.")
def conform(
    deployment: Path | None, impl: str, seconds: float | None, pattern: str, report: Path | None, dump: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Run the conformance vectors on an implementation of any language.

    Every deterministic step has vectors: bounding and clipping, grouping, sketches, calibration, costs, top-L with
    ties, rounding, claims and verdicts, canonical JSON, ledger sums, transcripts.  docs/protocol.md says how an
    implementation answers them.

    Exit code 0 where all that it answers is right, 1 where something is not, 3 where it answers nothing.
    """
    cases = suite.cases(pattern)
    if dump:
        for case in cases:
            click.echo(canonical.dumps(case._asdict()).decode(), nl=False)
        return 0
    outcomes = _outcomes(impl, deployment, seconds, cases)
    if report:
        files.write(report, junit.encode(outcomes))
    _printed(outcomes) if as_json else _show(outcomes)
    counts = Counter(outcome.status for outcome in outcomes)
    if counts["error"]:
        return 4
    if counts["fail"]:
        return 1
    return 0 if counts["pass"] else 3


def _outcomes(impl: str, deployment: Path | None, seconds: float | None, cases: list[Case]) -> list[Outcome]:
    sys.path.insert(0, str(Path.cwd()))  # py:module:attr names a module of the caller
    with addresses.closing(addresses.resolve(impl, setting_of(deployment), ReferenceSubject, seconds)) as subject:
        answer = answers_of(subject)
        if answer is None:
            raise UsageError(f"--impl {impl}", "answers no vectors", "give it `vector(function, given)`")
        hidden = not sys.stderr.isatty()
        console = Console(stderr=True)
        return list(track(run(cases, answer), "vectors", len(cases), console=console, transient=True, disable=hidden))


def _printed(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        line = {"vector": outcome.case.name, "status": outcome.status, "found": outcome.found}
        click.echo(canonical.dumps(line).decode(), nl=False)


def _show(outcomes: list[Outcome]) -> None:
    """A row for each step, then what was answered otherwise."""
    table = Table()
    for heading in ("step", "pass", "fail", "skipped", "error"):
        table.add_column(heading, justify="left" if heading == "step" else "right")
    for function, group in groupby(outcomes, lambda outcome: outcome.case.function):
        counts = Counter(outcome.status for outcome in group)
        table.add_row(function, *(str(counts[name] or "") for name in ("pass", "fail", "skipped", "error")))
    console = Console()
    console.print(table)
    wrong = [outcome for outcome in outcomes if outcome.status in ("fail", "error")]
    for outcome in wrong[:MOST_SHOWN]:
        case = outcome.case
        wanted = "a refusal" if case.result == "invalid" else canonical.dumps(case.output).decode().strip()[:200]
        words = f"{case.name} ({case.comment}): {outcome.found}; wanted {wanted}"
        console.print(Text(words), soft_wrap=True)
    if len(wrong) > MOST_SHOWN:
        console.print(f"and {len(wrong) - MOST_SHOWN} more; --json prints all", highlight=False)
    counts = Counter(outcome.status for outcome in outcomes)
    console.print(", ".join(f"{count} {name}" for name, count in counts.most_common()), highlight=False)
