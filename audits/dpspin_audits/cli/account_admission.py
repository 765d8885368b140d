"""`dpspin account calibrate` and `check` for admission by peeling: the least common factor of both scales."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from dpspin import canonical
from dpspin.accounting import admission_bounds
from dpspin.accounting.admission_certificate import SCHEMA, certify
from dpspin.accounting.split import PeelingClaim
from dpspin.adjacency import Adjacency
from dpspin.decimals import exact
from dpspin.errors import UsageError
from dpspin_audits import files
from dpspin_audits.checks.certificate import digest_of
from dpspin_audits.cli.numbers import Number
from dpspin_proofs import admission_check

Command = Callable[..., None]
OPTIONS = (
    click.option("--plan-size", type=int, help="L; private_top_l alone."),
    click.option("--universe-size", type=int, help="m; private_top_l alone."),
    click.option("--selection-share", type=Number(), help="Of epsilon, for admission; 1/2 unless given."),
)


def options(command: Command) -> Command:
    """Add the options that private_top_l needs and no other mechanism takes."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def claimed(
    adjacency: Adjacency, mass_bound: Fraction, loss: tuple[Fraction, Fraction], admission: dict[str, Any]
) -> PeelingClaim:
    """The claim that the options name.

    Args:
        adjacency: which corpora are compared.
        mass_bound: B.
        loss: epsilon and delta.
        admission: values of OPTIONS by name.

    Raises:
        UsageError: where plan size or universe size is missing, or the numbers are no claim.
    """
    size, width, share = (admission[name] for name in ("plan_size", "universe_size", "selection_share"))
    if size is None or width is None:
        raise UsageError("private_top_l", "--plan-size or --universe-size is missing", "name L and m")
    return PeelingClaim(adjacency, mass_bound, size, width, Fraction(1, 2) if share is None else share, *loss)


def refuse(admission: dict[str, Any]) -> None:
    """Refuse options of private_top_l for another mechanism."""
    for name, value in admission.items():
        if value is not None:
            raise UsageError(f"--{name.replace('_', '-')}", "without effect", "remove it, or ask for private_top_l")


def calibrate(claim: PeelingClaim, out: Path | None) -> None:
    """Write the certificate to stdout or to a file; the figures to stderr or to stdout."""
    data = certify(claim, digest_of(admission_check))
    tree = canonical.loads(data, "the certificate")
    if out is None:
        click.echo(data.decode(), nl=False)
    else:
        files.write(out, data)
    where = "" if out is None else f" in {out}"
    click.echo("\n".join([scales(tree) + where, *_others(claim, Fraction(tree["factor"]))]), err=out is None)


def scales(tree: dict[str, Any]) -> str:
    """The noise that a certificate is for."""
    scale = float(1 / Fraction(tree["exponent"]))
    sigma = float.fromhex(tree["sigma_hex"])
    factor = exact(Fraction(tree["factor"]))
    return f"1/eta = {scale:.6g}, sigma = {sigma!r} ({tree['sigma_hex']}): {factor} of the split"


def _others(claim: PeelingClaim, factor: Fraction) -> list[str]:
    """The other bounds on that noise, one a line, and what it loses at least."""
    kept = claim.split().at(factor)
    found = admission_bounds.upper(kept, claim.epsilon, claim.delta)
    lower = admission_bounds.lower(kept, claim.universe_size, claim.delta)
    found |= {} if lower is None else {admission_bounds.LOWER: lower}
    return [f"{name}: epsilon {exact(loss)}" for name, loss in found.items() if name != admission_bounds.CLOSED_FORM]


def is_certificate(data: bytes) -> bool:
    """Whether bytes call themselves a certificate of admission."""
    try:
        tree = canonical.loads(data, "the certificate")
    except UsageError:
        return False
    return isinstance(tree, dict) and tree.get("schema") == SCHEMA
