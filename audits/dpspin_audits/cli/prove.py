"""`dpspin prove`: the theorems about the running kernel, compiled by Coq from scratch."""

import os
import tempfile
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dpspin import canonical, kernel
from dpspin.errors import UsageError
from dpspin.pipeline import Setting
from dpspin_audits import files
from dpspin_audits.cli.inputs import setting_of
from dpspin_proofs import certificate, coq, differential, extract, instantiate, run
from dpspin_proofs.coq import Finding
from dpspin_proofs.differential import Compared
from dpspin_proofs.register import PACKAGE, Register, register, theories
from dpspin_proofs.translate import translate

INSTALL = "Coq was not found: install it (on Debian: apt-get install coq)"
OCAML = "calls were not compared: OCaml was not found: install it (on Debian: apt-get install ocaml-nox)"
SEED = 1


@click.command()
@click.option("--deployment", "path", type=click.Path(path_type=Path), help="Whose numbers; default: the embedded one.")
@click.option("--certificate", "place", type=click.Path(path_type=Path), help="Write what was proved to this file.")
@click.option("--coqchk", "recheck", is_flag=True, help="Have Coq's independent checker read the proofs too; slow.")
@click.option("--renew", is_flag=True, help="Write the kernel's translation first, and the shipped certificate last.")
def prove(path: Path | None, place: Path | None, recheck: bool, renew: bool) -> int:
    """Prove the theorems about the kernel that runs here, in general and at a deployment's own numbers.

    The kernel is translated to Coq, every statement about it is checked from scratch, and the axioms of each are read
    back.  Then the same calls are run in Python and in a program that Coq extracts from the translation.

    The exit code is 0 if all hold on the axioms that the register allows, 1 if not, and 3 where Coq is missing, or 1
    there if CI is set.
    """
    if renew and path:
        raise UsageError("--renew", "cannot be used with --deployment", "the shipped certificate is the embedded one's")
    if renew:
        text = translate(run.running_kernel().decode(), "kernel.py")
        files.write(Path(str(PACKAGE / "theories" / "Kernel.v")), text.encode())
    coqc = coq.compiler()
    if coqc is None:
        click.echo(f"dpspin: {INSTALL}", err=True)
        return 1 if in_ci() else 3
    made = instance_of(setting_of(path))
    known = register()
    claims = known._replace(theorems=known.theorems + made.theorems)
    sources = run.Sources(run.running_kernel(), theories() | {instantiate.FILE: made.source})
    outcome = run.prove(coqc, sources, claims, recheck=recheck)
    compared, differing = tied(coqc, sources)
    outcome = outcome._replace(findings=outcome.findings + differing)
    show(outcome, claims, compared)
    data = certificate.written(outcome, claims, made)
    if place:
        files.write(place, data)
    if renew and not outcome.findings:
        files.write(Path(str(PACKAGE / certificate.SHIPPED)), data)
    return int(bool(outcome.findings))


def in_ci() -> bool:
    """Whether this is continuous integration, where nothing may be left out."""
    return os.environ.get("CI", "").lower() in ("1", "true")


def instance_of(setting: Setting) -> instantiate.Instance:
    """The theorems about one deployment."""
    digest = canonical.digest(setting.deployment_bytes)
    return instantiate.instance(setting.deployment, digest, len(setting.universe))


def tied(coqc: str, sources: run.Sources) -> tuple[Compared | None, tuple[Finding, ...]]:
    """The same calls in Python and in the extracted program, or None; and the first difference as a finding."""
    ocaml = extract.builder()
    if ocaml is None:
        return None, (Finding("extraction", OCAML),) if in_ci() else ()
    source = sources.kernel.decode()
    functions = {name: getattr(kernel, name) for name in extract.signatures(source)}
    with tempfile.TemporaryDirectory() as folder:
        program = extract.build(coqc, ocaml, Path(folder), source, sources.theories["PySem"])
        drawn = differential.calls(extract.signatures(source), differential.COUNT, SEED)
        compared = differential.compare(program, functions, list(drawn))
    return compared, tuple(Finding("extraction", difference) for difference in compared.differences[:1])


def show(outcome: run.Outcome, claims: Register, compared: Compared | None) -> None:
    """Theorems, what no theorem covers, and findings as tables; then the verdict."""
    console = Console()
    rows = Table("theorem", "about", "in words", "axioms", title="theorems", title_justify="left")
    for theorem in claims.theorems:
        axioms = outcome.axioms.get(theorem.name)
        seen = Text("not proved", "red") if axioms is None else Text(", ".join(axioms) or "none", "green")
        rows.add_row(*map(Text, (theorem.name, theorem.code.removeprefix("dpspin."), theorem.says)), seen)
    console.print(rows)
    gaps = Table("what no theorem covers", "instead", "left open by", title="gaps", title_justify="left")
    for gap in claims.gaps:
        about = {theorem.code.removeprefix("dpspin.kernel.") for theorem in claims.theorems if gap.name in theorem.gaps}
        left_open = "every theorem" if gap.everywhere else ", ".join(sorted(about))
        gaps.add_row(*map(Text, (gap.what, gap.instead, left_open)))
    console.print(gaps)
    if compared is None:
        console.print(OCAML, highlight=False, soft_wrap=True)
    else:
        agreed = (
            f"{compared.calls - len(compared.differences)} of {compared.calls} calls agree in Python and extracted Coq"
        )
        console.print(f"{agreed}; {compared.raising} of them raise", highlight=False, soft_wrap=True)
    for finding in outcome.findings:
        console.print(Text.assemble((finding.place, "bold red"), f": {finding.what}"), soft_wrap=True)
    verdict = ("fail", "red") if outcome.findings else ("pass", "green")
    proved = f"({len(outcome.axioms)} theorems, Coq {outcome.coq}, kernel.py {outcome.kernel_sha256})"
    console.print(Text.assemble("verdict: ", verdict), proved, highlight=False, soft_wrap=True)
