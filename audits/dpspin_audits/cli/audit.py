"""`dpspin audit`: one command from an implementation to evidence, a report and an exit code."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from dpspin import canonical, pipeline
from dpspin.corpus import embedded, jsonl, synthetic
from dpspin.curator.noise import SeededBits, SystemBits
from dpspin.deployment import Deployment
from dpspin.errors import IntegrityError, SubjectError
from dpspin_audits import addresses, depths, engine, evidence, files, gate
from dpspin_audits.checks import asking, tripwire
from dpspin_audits.checks import proofs as proved
from dpspin_audits.checks.implementation import Watch
from dpspin_audits.cli.audit_options import Level, address_of, command_of, gates_of, kept_in, placed, seed_of
from dpspin_audits.cli.audit_table import show
from dpspin_audits.cli.clock import Clock, timed
from dpspin_audits.cli.inputs import Seed, setting_of
from dpspin_audits.formats import made
from dpspin_audits.formats.signatures import beside
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.report.render import render
from dpspin_audits.running.outcomes import aside
from dpspin_audits.running.processes import SECONDS, Elsewhere
from dpspin_audits.statistics import given

RESULTS = frozenset(
    {"evidence.json", "timings.json", "certificate.json", "release", beside(Path("evidence.json")).name}
    | {name for name, _ in made.OF_ONE.values()}
)
"""What may stand in a folder of results: all of it is about one evidence, and goes with it when that is replaced."""
DEFAULT_ALPHA = 0.001


def demonstration(spec: str, elsewhere: Elsewhere, setting: pipeline.Setting, seed: bytes | None) -> dict[str, bytes]:
    """A release on generated records, for the deployment of a synthetic corpus; nothing is charged.

    The reference draws from the system's generator, unless a seed was asked for: its plan is then stamped.  A stranger
    releases in a process of its own; where that breaks off, the audit's own releases will say so.
    """
    if not setting.deployment.corpus.synthetic:
        return {}
    if spec == "ref":
        bits = SystemBits() if seed is None else SeededBits(seed)
        return pipeline.release(setting, embedded.corpus(setting.deployment), bits, None).bundle
    with suppress(SubjectError):
        for outcome in elsewhere([list(_rows(setting.deployment))]).outcomes:
            bundle = dict(outcome.bundle or {})
            return bundle if all(map(files.is_name, bundle)) else {}  # the check of hygiene says what it holds
    return {}


def _rows(deployment: Deployment) -> Iterator[dict[str, str]]:
    """The embedded corpus under the deployment's field names."""
    names = jsonl.fields_of(deployment)
    for row in synthetic.records(embedded.RECORDS):
        user = {} if names.user is None else {names.user: row["user"]}
        yield {names.id: row["id"], names.text: row["text"], **user}


def certificate_of(place: Path | None, setting: pipeline.Setting) -> bytes | None:
    """A certificate of proofs that was named; None for the shipped one.

    Raises:
        UsageError: when it is no certificate.
        IntegrityError: when it is about what is installed here and says something else than the register of theorems.
    """
    if place is None:
        return None
    data = files.read(place)
    found = proved.check(ReferenceSubject(setting), setting, data)
    if found.status == "fail":
        raise IntegrityError(str(place), "the register's theorems", str(found.reason), str(found.remedy))
    return data


def modes_of(folder: Path | None) -> dict[str, int]:
    """Modes of the files of a folder; links count as links."""
    return {entry.name: entry.lstat().st_mode for entry in folder.iterdir() if not entry.is_dir()} if folder else {}


def watching(setting: pipeline.Setting) -> Watch:
    """The tripwire for this deployment's writers."""
    terms = setting.deployment.decoder
    if terms.llm is not None:
        return partial(asking.check, mode=terms.contract_mode, model=terms.llm)
    return partial(tripwire.check, mode=terms.contract_mode)


@click.command()
@click.argument("deployment", required=False, type=click.Path(path_type=Path))
@click.option("--impl", default="ref", metavar="SPEC", help='ref, py:module:attr, or cmd:"COMMAND".')
@click.option(
    "--out", default="build/audit", type=click.Path(path_type=Path), show_default=True, help="Results folder."
)
@click.option("--bundle", "folder", type=click.Path(path_type=Path), help="A released bundle to judge as well.")
@click.option("--proofs", type=click.Path(path_type=Path), help="A certificate of proofs; default: the shipped one.")
@click.option("--seed", type=Seed(), help="Repeat an audit; the reference's own demonstration release is then stamped.")
@click.option("--score", "scoring", metavar="SPEC", help="py:module:attr, a score(atoms, masses) of your own to try.")
@click.option("--alpha", default="0.001", type=Level(), show_default=True, help="False alarms of the whole audit.")
@click.option(
    "--depth", default="smoke", type=click.Choice([*depths.DEPTHS]), show_default=True, help="How much is tried."
)
@click.option(
    "--timeout", "seconds", type=click.FloatRange(0, 3600, min_open=True), help="Seconds for an answer of a command."
)
@click.option(
    "--workers", default=1, type=click.IntRange(1, 64), show_default=True, help="Processes; figures stay equal."
)
@click.option("--cluster", "scheduler", metavar="ADDR", help="Address of a Dask scheduler whose workers draw instead.")
@click.option(
    "--checkpoint", "progress", type=click.Path(path_type=Path), help="Folder to keep progress in, and to go on from."
)
@click.option("--waivers", type=click.Path(path_type=Path), help="Findings that somebody answers for until a day.")
@click.option("--baseline", type=click.Path(path_type=Path), help="evidence.json of an earlier audit; known findings.")
@click.option(
    "--fail-on",
    default="inconclusive",
    type=click.Choice(["fail", "inconclusive"]),
    show_default=True,
    help="fail: exit 0 when no answer was reached.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the evidence instead of the table.")
def audit(
    deployment: Path | None, impl: str, out: Path, folder: Path | None, proofs: Path | None, seed: bytes | None,
    scoring: str | None, alpha: float, depth: str, seconds: float | None, workers: int, scheduler: str | None,
    progress: Path | None, waivers: Path | None, baseline: Path | None, fail_on: str, as_json: bool,
) -> int:  # fmt: skip
    """Judge an implementation of DEPLOYMENT (default: the embedded one) on generated records.

    Writes OUT/evidence.json, OUT/report.html, OUT/timings.json, OUT/certificate.json where the noise can be certified
    and, for a deployment of a synthetic corpus, a demonstration release OUT/release.  No ledger is charged and no
    protected record is read.

    The exit code is the verdict: 0 pass, 1 finding, 3 no answer yet, 4 the implementation broke off.  Waivers and a
    baseline change the exit code alone, never the verdict.
    """
    setting = replace(setting_of(deployment), stand_in=True)  # an audit asks no language model
    sys.path.insert(0, str(Path.cwd()))  # py:module:attr names a module of the caller
    gates, audit_seed, much = gates_of(waivers, baseline), seed_of(seed, progress), depths.DEPTHS[depth]
    with aside():
        score = given.resolve(scoring) if scoring else None
        cited = certificate_of(proofs, setting)
        subject = addresses.resolve(impl, setting, ReferenceSubject, seconds)
    command = command_of(
        deployment, impl=impl, proofs=proofs, score=scoring, timeout=seconds, bundle=folder,
        alpha=None if alpha == DEFAULT_ALPHA else alpha, depth=None if depth == "smoke" else depth,
        seed=audit_seed.hex(),
    )  # fmt: skip
    elsewhere, address = Elsewhere(impl, setting, seconds or SECONDS), address_of(impl, setting, seconds)
    with (
        addresses.closing(subject), files.Staging(out) as staging, Clock() as clock,
        aside(), placed(address, workers, scheduler, subject) as place,
    ):  # fmt: skip
        files.check_free(out, replace=RESULTS)
        clock.step("demonstration release")
        shown = {} if folder else demonstration(impl, elsewhere, setting, seed)
        asked = engine.Audit(
            setting, subject, impl, command, audit_seed, alpha, much.sampled, much.released, proofs=cited, score=score,
            bundle=files.read_folder(folder) if folder else shown, modes=modes_of(folder), further=much.further,
        )  # fmt: skip
        there = place._replace(kept=kept_in(progress, asked, scoring), gauge=clock.gauge)
        tree = engine.audit(asked, place=there, elsewhere=elsewhere, watch=watching(setting), progress=clock.step)
        tree["gate"] = gate.tree(gates.hold(tree)) if gates else None
        clock.step("running time")
        times = {} if tree["verdict"] == "error" else timed(subject, setting)
        _publish(staging, clock, tree, shown, times)
    click.echo(canonical.dumps(tree).decode(), nl=False) if as_json else show(tree, out)
    code = evidence.EXIT[(tree["gate"] or tree)["verdict"]]
    return 0 if code == 3 and fail_on == "fail" else code


def _publish(
    staging: files.Staging, clock: Clock, tree: dict[str, Any], shown: dict[str, bytes], times: dict[str, object]
) -> None:
    """All results at once."""
    clock.step("report")
    staging.put(_results(tree))
    if shown:
        staging.put(shown, "release")
    clock.step("end")
    staging.put({"timings.json": clock.timings(times)})
    staging.publish(replace=RESULTS)


def _results(tree: dict[str, Any]) -> dict[str, bytes]:
    """The files that follow from the evidence."""
    certificates = tree["certificates"]
    named = {"certificate.json": canonical.dumps(certificates[0])} if certificates else {}
    return {"evidence.json": canonical.dumps(tree), "report.html": render(tree).encode(), **named}
