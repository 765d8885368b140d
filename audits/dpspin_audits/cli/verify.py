"""`dpspin verify`: a release bundle against what it must be derived from, or texts against plans of strangers."""

import sys
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.table import Table
from rich.text import Text

from dpspin import canonical
from dpspin.errors import UsageError
from dpspin_audits import files
from dpspin_audits.verify import batch, folder, foreign
from dpspin_audits.verify.derivation import Verification
from dpspin_audits.verify.derivation import verify as judge

SCHEMA = "dpspin-verification/1"
FLOATS = (
    "a plan with float masses on no lattice; low-order bits may betray what noise was added to. Texts were judged by "
    "the masses as written; `dpspin verify BUNDLE` judges whether a plan may be released"
)


@click.command()
@click.argument("bundle", required=False, type=click.Path(path_type=Path))
@click.option("--batch", "as_batch", is_flag=True, help="Read cases as JSON Lines on stdin, answer on stdout.")
@click.option("--deployment", type=click.Path(path_type=Path), help="The declared deployment, kept elsewhere.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def verify(bundle: Path | None, as_batch: bool, deployment: Path | None, as_json: bool) -> int:
    """Verify that all of BUNDLE is public, charged or derived from its plan; or, with --batch, texts against plans.

    BUNDLE is the folder of a release.  Everything but the released masses is computed again and compared; in a bundle
    of another implementation (private_plan.json, config.yaml) every object is accounted for as far as it can be.  The
    exit code is 0 without a finding, 1 with one, 5 where bytes are not those that a digest or the chain names, and 2
    where the folder is no bundle.

    With --batch, every line {"case_id", "plan", "text"} on stdin gets one line {"case_id", "accept", "violations"} on
    stdout.  The exit code is 0, or 2 where a line could not be told to be a case.  Plans with float masses are judged
    like others, and counted in a note on stderr.
    """
    if as_batch == (bundle is not None) or (as_batch and deployment):
        raise UsageError("verify", "one of BUNDLE and --batch is needed", "name a folder, or pipe cases to --batch")
    if bundle is None:
        return _batch()
    outside = files.read(deployment) if deployment else None
    held, strange = folder.read(bundle)
    is_foreign = foreign.applies(held)
    if is_foreign and outside is not None:
        raise UsageError("--deployment", "is for bundles of this project", "leave it out")
    found = foreign.verify(held, strange) if is_foreign else judge(held, outside, strange)
    if as_json:
        click.echo(canonical.dumps(tree(bundle.name, found)).decode(), nl=False)
    else:
        show(bundle, found)
    return code(found)


def code(found: Verification) -> int:
    """The exit code of a verification."""
    return 5 if any(finding.integrity for finding in found.findings) else int(bool(found.findings))


def tree(name: str, found: Verification) -> dict[str, object]:
    """A verification as JSON."""
    return {
        "schema": SCHEMA,
        "bundle": name,
        "verdict": "fail" if found.findings else "pass",
        "stamp": found.stamp,
        "objects": [{"name": name, "role": role, "covered_by": cover} for name, role, cover in found.objects],
        "findings": [finding._asdict() for finding in found.findings],
        "left_out": found.left_out,
    }


def show(bundle: Path, found: Verification) -> None:
    """Objects and findings as tables, then the verdict."""
    console = Console()
    objects = Table("object", "role", "covered by", title=f"on record in {bundle}", title_justify="left")
    for row in found.objects:
        objects.add_row(*map(Text, row))
    console.print(objects)
    if found.findings:
        findings = Table("where", "rule", "what was found", "what to do", title="findings", title_justify="left")
        for finding in found.findings:
            where = finding.file if finding.line is None else f"{finding.file}:{finding.line}"
            rule = Text(finding.rule, "red" if finding.integrity else "yellow")
            findings.add_row(Text(where), rule, Text(finding.found), Text(finding.remedy))
        console.print(findings)
    if found.stamp:
        console.print(Text(found.stamp, "bold red"))
    for step in found.left_out:
        console.print(Text(f"not checked after these findings: step {step}"))
    verdict = ("fail", "red") if found.findings else ("pass", "green")
    console.print(Text.assemble("verdict: ", verdict), f"({len(found.findings)} findings)", highlight=False)


def _batch() -> int:
    """Answers as they come; progress on a terminal only."""
    worst, floats, out = 0, 0, sys.stdout.buffer
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.completed} cases"))
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("cases", total=None)
        for answer in batch.answers(sys.stdin.buffer):
            out.write(answer.line)
            out.flush()
            worst = max(worst, answer.code)
            floats += answer.has_floats
            progress.advance(task)
    if floats:
        console.print(f"note: {floats} {'case has' if floats == 1 else 'cases have'} {FLOATS}", soft_wrap=True)
    return worst
