"""`dpspin account`: certificates of noise scales, the inverse questions, and the group of commands."""

from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import click

from dpspin import canonical
from dpspin.accounting.certificate import Additive, Claim, certify
from dpspin.accounting.certified import tight_delta, tight_epsilon
from dpspin.accounting.cost import Cost
from dpspin.accounting.second_opinion import PEELING, second_opinion, unasked
from dpspin.accounting.verdict import Stated
from dpspin.adjacency import Adjacency
from dpspin.errors import IntegrityError, UsageError
from dpspin_audits import files
from dpspin_audits.checks.certificate import digest_of
from dpspin_audits.cli import account_admission
from dpspin_audits.cli.account_curve import curve
from dpspin_audits.cli.account_judge import judge
from dpspin_audits.cli.account_ledger import ledger
from dpspin_audits.cli.numbers import ADJACENCIES, Number
from dpspin_audits.ends import between
from dpspin_proofs import admission_check, certcheck


@click.group()
def account() -> None:
    """Certify noise scales, check certificates, draw curves, read ledgers, judge the numbers of others.

    Every number is exact or enclosed from both sides; docs/accounting.md says how each is known.
    """


for command in (curve, judge, ledger):
    account.add_command(command)


@account.command()
@click.option("--mechanism", type=click.Choice(("gaussian", "laplace", "private_top_l")), required=True)
@click.option("--epsilon", type=Number(), required=True, help="Claimed loss.")
@click.option("--delta", type=Number(), default="0", help="Claimed probability outside it; 0 for laplace.")
@click.option("--adjacency", type=click.Choice(ADJACENCIES), required=True)
@click.option("--mass-bound", type=Number(), default="1", help="B, the most mass of one unit.")
@click.option("--second-opinion", "asked", is_flag=True, help="Ask dp-accounting too, which takes a second.")
@click.option("-o", "out", type=click.Path(path_type=Path), help="Write the certificate here instead of to stdout.")
@account_admission.options
def calibrate(
    mechanism: Additive | Literal["private_top_l"], epsilon: Fraction, delta: Fraction, adjacency: Adjacency,
    mass_bound: Fraction, asked: bool, out: Path | None, **admission: Any,
) -> None:  # fmt: skip
    """Write a certificate of the least noise that meets a claim: the smallest float sigma, the exact scale b, or for
    private_top_l with Gaussian values the least common factor of 1/eta and sigma.
    """
    if mechanism == "private_top_l":
        if asked:
            click.echo(f"no second opinion: {PEELING}", err=True)
        account_admission.calibrate(account_admission.claimed(adjacency, mass_bound, (epsilon, delta), admission), out)
        return
    account_admission.refuse(admission)
    claim = Claim(mechanism, adjacency, mass_bound, epsilon, delta)
    data = certify(claim, digest_of(certcheck))
    if asked:
        data = certify(claim, digest_of(certcheck), _opinions(claim, canonical.loads(data, "the certificate")))
    if out is None:
        click.echo(data.decode(), nl=False)
    else:
        files.write(out, data)
        click.echo(f"{_scale(canonical.loads(data, str(out)))} in {out}")


def _scale(tree: dict[str, Any]) -> str:
    if tree["mechanism"] == "laplace":
        return f"b = {tree['scale']}"
    return f"sigma = {float.fromhex(tree['sigma_hex'])!r} ({tree['sigma_hex']})"


def _opinions(claim: Claim, tree: dict[str, Any]) -> tuple[dict[str, str], ...]:
    """What dp-accounting says of the certified noise; on stderr why not, where it cannot be asked."""
    multiplier = None
    if claim.mechanism == "gaussian":
        multiplier = Fraction(float.fromhex(tree["sigma_hex"])) ** 2 / claim.moved.l2_squared
    cost = Cost(claim.epsilon, claim.delta, tree["theorem"], (), multiplier)
    opinion = second_opinion(cost)
    if opinion is None:
        click.echo(f"no second opinion: {unasked(cost)}", err=True)
        return ()
    return ({"tool": opinion.tool, "version": opinion.version, "epsilon": repr(opinion.epsilon)},)


@account.command()
@click.argument("certificate", type=click.Path(path_type=Path))
def check(certificate: Path) -> None:
    """Check a certificate again from its claim and its noise; exit 5 where a byte of it is not what it must be."""
    data = files.read(certificate)
    admission = account_admission.is_certificate(data)
    fault = (admission_check if admission else certcheck).fault(data)
    if fault is not None:
        raise IntegrityError(str(certificate), "a certificate that holds", fault, "calibrate again, and trust neither")
    tree = canonical.loads(data, str(certificate))
    if not admission and tree["second_opinions"]:
        _ask_again(tree, str(certificate))
    click.echo(f"{certificate}: holds: {account_admission.scales(tree) if admission else _scale(tree)}")


def _ask_again(tree: dict[str, Any], place: str) -> None:
    """Compare what other tools are said to say with what they say here; on stderr why not, where they cannot be asked.

    Raises:
        IntegrityError: where the same version says something else.
    """
    figures = (Fraction(tree[name]) for name in ("mass_bound", "epsilon", "delta"))
    again = list(_opinions(Claim(tree["mechanism"], tree["adjacency"], *figures), tree))
    held = tree["second_opinions"]
    if [(one["tool"], one["version"]) for one in held] != [(one["tool"], one["version"]) for one in again]:
        click.echo("second opinions were not asked for again: other tools or versions are installed here", err=True)
    elif held != again:
        raise IntegrityError(
            place, f"the second opinions {again}", f"{held}"[:200], "calibrate again, and trust neither"
        )


@account.command()
@click.option("--sigma", type=Number(), required=True, help="Of Gaussian noise, in units of mass.")
@click.option("--epsilon", type=Number(), help="Ask for the least delta at this loss.")
@click.option("--delta", type=Number(), help="Ask for the least loss at this delta.")
@click.option("--adjacency", type=click.Choice(ADJACENCIES), required=True)
@click.option("--mass-bound", type=Number(), default="1", help="B, the most mass of one unit.")
def tight(
    sigma: Fraction, epsilon: Fraction | None, delta: Fraction | None, adjacency: Adjacency, mass_bound: Fraction
) -> None:
    """Print the least delta at --epsilon, or the least epsilon at --delta, of a given sigma, from both sides."""
    if (epsilon is None) == (delta is None):
        raise UsageError("tight", "one of --epsilon and --delta is needed", "name what is given")
    claim = Claim("gaussian", adjacency, mass_bound, epsilon or Fraction(0), delta or Fraction(0))
    ratio = claim.moved.l2_squared / Stated(claim, sigma).scale ** 2
    if epsilon is not None:
        click.echo(f"delta {between(tight_delta(epsilon, ratio))}")
    elif claim.delta == 0:
        raise UsageError("delta", "no Gaussian noise has delta 0", "write such as 1e-6")
    else:
        click.echo(f"epsilon {between(tight_epsilon(ratio, claim.delta))}")
