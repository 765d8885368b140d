"""`dpspin prove`: the theorems about the running kernel, compiled by Coq from scratch."""

import os
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dpspin_audits import files
from dpspin_proofs import run
from dpspin_proofs.register import PACKAGE, Register, register, theories
from dpspin_proofs.translate import translate

INSTALL = "Coq was not found: install it (on Debian: apt-get install coq)"


@click.command()
@click.option("--certificate", type=click.Path(path_type=Path), help="Write what was proved to this file, as JSON.")
@click.option("--renew", is_flag=True, help="Write the translation of the kernel into the sources first.")
def prove(certificate: Path | None, renew: bool) -> int:
    """Prove the theorems about the kernel that runs here.

    The kernel is translated to Coq, every statement about it is checked from scratch, and the axioms of each are read
    back.  The exit code is 0 if all hold on the axioms that the register allows, 1 if not, and 3 where Coq is missing,
    or 1 there if CI is set.
    """
    if renew:
        text = translate(run.running_kernel().decode(), "kernel.py")
        files.write(Path(str(PACKAGE / "theories" / "Kernel.v")), text.encode())
    coqc = run.compiler()
    if coqc is None:
        click.echo(f"dpspin: {INSTALL}", err=True)
        return 1 if os.environ.get("CI", "").lower() in ("1", "true") else 3
    claims = register()
    outcome = run.prove(coqc, run.Sources(run.running_kernel(), theories()), claims)
    show(outcome, claims)
    if certificate:
        files.write(certificate, run.certificate(outcome, claims))
    return int(bool(outcome.findings))


def show(outcome: run.Outcome, claims: Register) -> None:
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
    for finding in outcome.findings:
        console.print(Text.assemble((finding.place, "bold red"), f": {finding.what}"), soft_wrap=True)
    verdict = ("fail", "red") if outcome.findings else ("pass", "green")
    proved = f"({len(outcome.axioms)} theorems, Coq {outcome.coq}, kernel.py {outcome.kernel_sha256})"
    console.print(Text.assemble("verdict: ", verdict), proved, highlight=False, soft_wrap=True)
