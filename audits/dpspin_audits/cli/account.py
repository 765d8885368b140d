"""`dpspin account`: certificates of noise scales, and verdicts on the numbers of others."""

import csv
import io
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from dpspin import canonical
from dpspin.accounting.certificate import Additive, Claim, certify
from dpspin.accounting.certified import Ends, tight_delta, tight_epsilon
from dpspin.accounting.cost import Cost
from dpspin.accounting.second_opinion import second_opinion, unasked
from dpspin.accounting.verdict import Stated, Verdict
from dpspin.accounting.verdict import judge as judged
from dpspin.adjacency import Adjacency
from dpspin.errors import IntegrityError, UsageError
from dpspin.settings import Exact
from dpspin_audits import files
from dpspin_proofs import certcheck

COLUMNS = ("case", "mechanism", "scale", "adjacency", "mass_bound", "epsilon", "delta", "rule")
CHOICES = {
    "mechanism": ("gaussian", "laplace"),
    "adjacency": ("add_drop", "replacement"),
    "rule": ("", "analytic", "classical"),
}
MOST_CASES = 100_000
SCIENTIFIC = r"-?[0-9]{1,40}(\.[0-9]{1,40})?[eE][+-]?[0-9]{1,3}"
HEXADECIMAL = r"0x[01]\.?[0-9a-f]{0,13}p[+-]?[0-9]{1,4}"


def number(text: str) -> Fraction:
    """A number as people and tools write it: decimal, fraction or hexadecimal float; ValueError for anything else."""
    if re.fullmatch(HEXADECIMAL, text):
        return Fraction(float.fromhex(text))
    return Fraction(text if re.fullmatch(SCIENTIFIC, text, re.ASCII) else Exact(text))


class Number(click.ParamType[Fraction]):
    """An exact number."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        """From text to a rational."""
        try:
            return value if isinstance(value, Fraction) else number(value)
        except (ValueError, OverflowError) as error:
            self.fail(f"{value[:60]!r}: {error}", param, ctx)


@click.group()
def account() -> None:
    """Certify noise scales, check certificates, judge the numbers of others.

    Every number is exact or enclosed from both sides; docs/accounting.md says how each is known.
    """


@account.command()
@click.option("--mechanism", type=click.Choice(CHOICES["mechanism"]), required=True)
@click.option("--epsilon", type=Number(), required=True, help="Claimed loss.")
@click.option("--delta", type=Number(), default="0", help="Claimed probability outside it; 0 for laplace.")
@click.option("--adjacency", type=click.Choice(CHOICES["adjacency"]), required=True)
@click.option("--mass-bound", type=Number(), default="1", help="B, the most mass of one unit.")
@click.option("--second-opinion", "asked", is_flag=True, help="Ask dp-accounting too, which takes a second.")
@click.option("-o", "out", type=click.Path(path_type=Path), help="Write the certificate here instead of to stdout.")
def calibrate(
    mechanism: Additive, epsilon: Fraction, delta: Fraction, adjacency: Adjacency, mass_bound: Fraction,
    asked: bool, out: Path | None,
) -> None:  # fmt: skip
    """Write a certificate of the least noise that meets a claim: the smallest float sigma, or the exact scale b."""
    claim = Claim(mechanism, adjacency, mass_bound, epsilon, delta)
    data = certify(claim, _checker())
    if asked:
        data = certify(claim, _checker(), _opinions(claim, canonical.loads(data, "the certificate")))
    if out is None:
        click.echo(data.decode(), nl=False)
    else:
        files.write(out, data)
        click.echo(f"{_scale(canonical.loads(data, str(out)))} in {out}")


def _checker() -> str:
    """Digest of the checker that is installed here."""
    return canonical.digest(files.read(Path(certcheck.__file__)))


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
    fault = certcheck.fault(data)
    if fault is not None:
        raise IntegrityError(str(certificate), "a certificate that holds", fault, "calibrate again, and trust neither")
    click.echo(f"{certificate}: holds: {_scale(canonical.loads(data, str(certificate)))}")


@account.command()
@click.option("--sigma", type=Number(), required=True, help="Of Gaussian noise, in units of mass.")
@click.option("--epsilon", type=Number(), help="Ask for the least delta at this loss.")
@click.option("--delta", type=Number(), help="Ask for the least loss at this delta.")
@click.option("--adjacency", type=click.Choice(CHOICES["adjacency"]), required=True)
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
        click.echo(f"delta {_between(tight_delta(epsilon, ratio))}")
    elif claim.delta == 0:
        raise UsageError("delta", "no Gaussian noise has delta 0", "write such as 1e-6")
    else:
        click.echo(f"epsilon {_between(tight_epsilon(ratio, claim.delta))}")


@account.command()
@click.argument("cases", type=click.Path(path_type=Path))
def judge(cases: Path) -> int:
    """Judge the scales of others: a CSV with the columns case, mechanism, scale, adjacency, mass_bound, epsilon, delta
    and rule (analytic, classical or empty).

    One line a case: holds, violates (and by how much), holds outside the range of the rule that is quoted, or not
    decidable.  The exit code is 1 where a case violates its claim.
    """
    worst = 0
    for name, stated in list(_cases(files.read(cases), str(cases))):
        verdict = judged(stated)
        click.echo(f"{name}: {verdict.word}{_because(verdict, stated)}")
        worst = max(worst, int(verdict.word == "violates"))
    return worst


def _because(verdict: Verdict, stated: Stated) -> str:
    parts = [verdict.reason]
    if verdict.delta is not None:
        parts.append(f"delta {_between(verdict.delta)}, claimed {_rounded(stated.claim.delta)}")
    if verdict.word == "violates" and verdict.delta is not None and stated.claim.delta:
        parts.append(f"at least {_rounded(verdict.delta.low / stated.claim.delta)} times the claim")
    if verdict.enough is not None:
        parts.append(f"enough would be {_rounded(verdict.enough, up=True)}, stated {_rounded(stated.scale)}")
    return ": " + "; ".join(parts)


def _between(ends: Ends) -> str:
    return f"from {_rounded(ends.low)} to {_rounded(ends.high, up=True)}"


def _rounded(value: Fraction, *, up: bool = False) -> str:
    """Ten significant digits or one more, rounded down or up, whatever the exponent."""
    if value == 0:
        return "0"
    power = len(str(value.numerator)) - len(str(value.denominator)) - 10
    scaled = value / Fraction(10) ** power
    digits = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    text = str(digits)
    whole = text[0] + "." + text[1:].rstrip("0")
    return f"{whole.rstrip('.')}e{power + len(text) - 1:+03d}"


def _cases(data: bytes, place: str) -> Iterator[tuple[str, Stated]]:
    """Rows as stated noise.

    Raises:
        UsageError: naming line and column of what cannot be read.
    """
    try:
        rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        if rows.fieldnames is None or tuple(rows.fieldnames) != COLUMNS:
            raise UsageError(f"{place}:1", "the header is another", f"write {','.join(COLUMNS)}")
        for row in rows:
            if rows.line_num > MOST_CASES:
                raise UsageError(place, f"more than {MOST_CASES} lines", "judge fewer at a time")
            yield row["case"], _case(row, f"{place}:{rows.line_num}")
    except (csv.Error, UnicodeDecodeError) as error:
        raise UsageError(place, f"not a CSV ({error})", "write UTF-8 and one case a line") from error


def _case(row: dict[str, str | None], place: str) -> Stated:
    if None in row or None in row.values():
        raise UsageError(place, "it has not as many cells as the header", f"write {','.join(COLUMNS)}")
    texts: dict[str, Any] = dict(row)
    for column, allowed in CHOICES.items():
        if texts[column] not in allowed:
            raise UsageError(f"{place}: {column}", f"{texts[column][:40]!r} is unknown", f"write one of {allowed}")
    for column in ("scale", "mass_bound", "epsilon", "delta"):
        try:
            texts[column] = number(texts[column])
        except (ValueError, OverflowError) as error:
            raise UsageError(f"{place}: {column}", f"{texts[column][:40]!r} is no number", str(error)) from error
    try:
        claim = Claim(*(texts[n] for n in ("mechanism", "adjacency", "mass_bound", "epsilon", "delta")))
        return Stated(claim, texts["scale"], texts["rule"])
    except UsageError as error:
        raise UsageError(f"{place}: {error.place}", error.problem, error.remedy) from error
