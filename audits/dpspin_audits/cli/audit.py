"""`dpspin audit`: one command from an implementation to evidence, a report and an exit code."""

import secrets
import shlex
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from dpspin import canonical, pipeline
from dpspin.corpus import embedded, jsonl, synthetic
from dpspin.curator.noise import SeededBits, SystemBits
from dpspin.deployment import Deployment
from dpspin.errors import SubjectError
from dpspin_audits import engine, evidence, files
from dpspin_audits.checks.canary import release as release_of
from dpspin_audits.cli.inputs import Seed, setting_of
from dpspin_audits.processes import Elsewhere
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.report.render import render
from dpspin_audits.subject import BlackBox, resolve

RESULTS = frozenset({"evidence.json", "report.html", "timings.json", "certificate.json", "release"})
COLOURS = {"pass": "green", "fail": "red", "inconclusive": "yellow", "not_run": "dim", "error": "magenta"}


class Level(click.ParamType[float]):
    """A probability between 0 and 1."""

    name = "probability"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """From text to a number."""
        try:
            level = float(Decimal(value))
        except (InvalidOperation, ValueError, TypeError):
            level = 0.0
        if not 0 < level < 1:
            self.fail(f"{value!r} is not a probability between 0 and 1, such as 0.001", param, ctx)
        return level


class Clock:
    """Steps and their seconds: shown on a terminal, kept in timings.json, never part of the evidence."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, float]] = []
        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
        self._task = self._bar.add_task("start")

    def __enter__(self) -> "Clock":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.step("end")
        self._bar.stop()

    def step(self, name: str) -> None:
        """A step begins."""
        self.steps.append((name, time.perf_counter()))
        self._bar.update(self._task, description=name)

    def timings(self) -> bytes:
        """timings.json: milliseconds of each step."""
        rows = [
            {"step": name, "milliseconds": round(1000 * (after - before))}
            for (name, before), (_, after) in zip(self.steps, self.steps[1:], strict=False)
        ]
        return canonical.dumps({"schema": "dpspin-timings/1", "steps": rows})


def demonstration(spec: str, subject: BlackBox, setting: pipeline.Setting, seed: bytes | None) -> dict[str, bytes]:
    """A release on generated records, for the deployment of a synthetic corpus; nothing is charged.

    The reference draws from the system's generator, unless a seed was asked for: its plan is then stamped.
    """
    if not setting.deployment.corpus.synthetic:
        return {}
    if spec == "ref":
        bits = SystemBits() if seed is None else SeededBits(seed)
        return pipeline.release(setting, embedded.corpus(setting.deployment), bits, None).bundle
    try:
        return dict(release_of(subject, list(_rows(setting.deployment))))
    except SubjectError:  # the audit's own releases will say how it breaks off
        return {}


def _rows(deployment: Deployment) -> Iterator[dict[str, str]]:
    """The embedded corpus under the deployment's field names."""
    names = jsonl.fields_of(deployment)
    for row in synthetic.records(embedded.RECORDS):
        user = {} if names.user is None else {names.user: row["user"]}
        yield {names.id: row["id"], names.text: row["text"], **user}


@click.command()
@click.argument("deployment", required=False, type=click.Path(path_type=Path))
@click.option("--impl", default="ref", metavar="SPEC", help="ref, or py:module:attr (a subject or a factory of one).")
@click.option(
    "--out", default="build/audit", type=click.Path(path_type=Path), show_default=True, help="Results folder."
)
@click.option("--bundle", "folder", type=click.Path(path_type=Path), help="A released bundle to judge as well.")
@click.option("--seed", type=Seed(), help="Repeat an audit; the reference's own demonstration release is then stamped.")
@click.option("--alpha", default="0.001", type=Level(), show_default=True, help="False alarms of the whole audit.")
@click.option("--depth", type=click.Choice(["smoke"]), expose_value=False, help="How much is tried; one depth so far.")
@click.option(
    "--workers", default=1, type=click.IntRange(1, 64), show_default=True, help="Threads; figures stay equal."
)
@click.option(
    "--fail-on",
    default="inconclusive",
    type=click.Choice(["fail", "inconclusive"]),
    show_default=True,
    help="fail: exit 0 when no answer was reached.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the evidence instead of the table.")
def audit(
    deployment: Path | None, impl: str, out: Path, folder: Path | None, seed: bytes | None, alpha: float, workers: int,
    fail_on: str, as_json: bool,
) -> int:  # fmt: skip
    """Judge an implementation of DEPLOYMENT (default: the embedded one) on generated records.

    Writes OUT/evidence.json, OUT/report.html, OUT/timings.json, OUT/certificate.json where the noise can be certified
    and, for a deployment of a synthetic corpus, a demonstration release OUT/release.  No ledger is charged and no
    protected record is read.

    The exit code is the verdict: 0 pass, 1 finding, 3 no answer yet, 4 the implementation broke off.
    """
    setting = setting_of(deployment)
    sys.path.insert(0, str(Path.cwd()))  # py:module:attr names a module of the caller
    subject = resolve(impl, setting, ReferenceSubject)
    audit_seed = seed or secrets.token_bytes(16)
    command = [
        "dpspin",
        "audit",
        *([str(deployment)] if deployment else []),
        "--impl",
        impl,
        "--seed",
        audit_seed.hex(),
    ]
    with files.Staging(out) as staging, Clock() as clock, ThreadPoolExecutor(workers) as pool:
        files.check_free(out, replace=RESULTS)
        clock.step("demonstration release")
        shown = {} if folder else demonstration(impl, subject, setting, seed)
        bundle = files.read_folder(folder) if folder else shown
        asked = engine.Audit(setting, subject, impl, shlex.join(command), audit_seed, alpha, bundle=bundle)
        tree = engine.audit(asked, workers=pool, elsewhere=Elsewhere(impl, setting), progress=clock.step)
        clock.step("report")
        page = render(tree).encode()
        staging.put({"evidence.json": canonical.dumps(tree), "report.html": page})
        if tree["certificates"]:
            staging.put({"certificate.json": canonical.dumps(tree["certificates"][0])})
        if shown:
            staging.put(shown, "release")
        clock.step("end")
        staging.put({"timings.json": clock.timings()})
        staging.publish(replace=RESULTS)
    click.echo(canonical.dumps(tree).decode(), nl=False) if as_json else show(tree, out)
    code = evidence.EXIT[tree["verdict"]]
    return 0 if code == 3 and fail_on == "fail" else code


def show(tree: dict[str, Any], out: Path) -> None:
    """Checks as a table, then the verdict."""
    table = Table(title=f"{tree['subject']['spec']} under {tree['deployment']['name']}", title_justify="left")
    for heading in ("check", "result", "strength", "what was found"):
        table.add_column(heading, overflow="fold")
    rows = [check for check in tree["checks"] if check["required"] or check["status"] != "not_run"]
    for check in rows:
        status = check["status"]
        words = (status.replace("_", " "), check["strength"].replace("_", " "), check["summary"])
        table.add_row(check["id"], Text(words[0], COLOURS[status]), words[1], Text(words[2]))
    console = Console()
    console.print(table)
    measured = tree["accounting"]["measured"]
    found = f"; measured loss at least {measured['epsilon_at_least']}" if measured else ""
    console.print(
        f"claimed epsilon {tree['accounting']['claimed']['epsilon']}, "
        f"accounted {tree['accounting']['accounted']['epsilon']}{found}",
        highlight=False,
    )
    left = len(tree["checks"]) - len(rows)
    console.print(Text.assemble("verdict: ", (tree["verdict"].replace("_", " "), COLOURS[tree["verdict"]])),
                  f"({left} further checks were not run; see the report)", highlight=False)  # fmt: skip
    if tree["stamp"]:
        console.print(Text(tree["stamp"], "bold red"))
    console.print(f"report: {out / 'report.html'}", highlight=False, soft_wrap=True)
