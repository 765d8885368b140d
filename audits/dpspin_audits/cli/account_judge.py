"""`dpspin account judge`: verdicts on the numbers of others, a line a case."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from dpspin.accounting.certificate import Claim
from dpspin.accounting.verdict import Stated, Verdict
from dpspin.accounting.verdict import judge as judged
from dpspin.errors import UsageError, printable
from dpspin_audits import files
from dpspin_audits.cli.numbers import ADJACENCIES, number
from dpspin_audits.ends import between, rounded

COLUMNS = ("case", "mechanism", "scale", "adjacency", "mass_bound", "epsilon", "delta", "rule")
CHOICES = {
    "mechanism": ("gaussian", "laplace", "discrete_gaussian", "discrete_laplace"),
    "adjacency": ADJACENCIES,
    "rule": ("", "analytic", "classical"),
}
MOST_CASES = 100_000


@click.command()
@click.argument("cases", type=click.Path(path_type=Path))
def judge(cases: Path) -> int:
    """Judge the scales of others: a CSV with the columns case, mechanism, scale, adjacency, mass_bound, epsilon, delta
    and rule (analytic, classical or empty).

    One line a case: holds, violates (and by how much), holds outside the range of the rule that is quoted, or not
    decidable.  The discrete mechanisms live on the integers, and their scales and masses count steps.  The exit code is
    1 where a case violates its claim.
    """
    worst = 0
    for name, stated in list(_cases(files.read(cases), str(cases))):
        verdict = judged(stated)
        click.echo(f"{printable(name)}: {verdict.word}{_because(verdict, stated)}")
        worst = max(worst, int(verdict.word == "violates"))
    return worst


def _because(verdict: Verdict, stated: Stated) -> str:
    parts = [verdict.reason]
    if verdict.delta is not None:
        parts.append(f"delta {between(verdict.delta)}, claimed {rounded(stated.claim.delta)}")
    if verdict.word == "violates" and verdict.delta is not None and stated.claim.delta:
        parts.append(f"at least {rounded(verdict.delta.low / stated.claim.delta)} times the claim")
    if verdict.enough is not None:
        parts.append(f"enough would be {rounded(verdict.enough, up=True)}, stated {rounded(stated.scale)}")
    return ": " + "; ".join(parts)


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
        kind = texts["mechanism"].removeprefix("discrete_")
        claim = Claim(kind, *(texts[name] for name in ("adjacency", "mass_bound", "epsilon", "delta")))
        return Stated(claim, texts["scale"], texts["rule"], texts["mechanism"] != kind)
    except UsageError as error:
        raise UsageError(f"{place}: {error.place}", error.problem, error.remedy) from error
