"""`dpspin account curve`: the privacy curve of one release, or of several of one population."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import click

from dpspin import canonical
from dpspin.accounting.certificate import ATOMS, Additive, Claim
from dpspin.accounting.curve import Curve, GaussianCurve, of_deployment
from dpspin.accounting.guarantee import Guarantee
from dpspin.accounting.laplace import RealLaplace, coordinates_of
from dpspin.accounting.second_opinion import UNEXPLAINED
from dpspin.accounting.verdict import Stated
from dpspin.adjacency import Adjacency, Unit
from dpspin.decimals import exact
from dpspin.deployment import Deployment
from dpspin.errors import UsageError
from dpspin_audits import curve_views, files
from dpspin_audits.cli.inputs import setting_of
from dpspin_audits.cli.numbers import ADJACENCIES, Number
from dpspin_audits.curves import Built, Question, Release, answered

USUAL = (Fraction(1, 10**5), Fraction(1, 10**6), Fraction(1, 10**9))


class Terms(NamedTuple):
    """What stated noise protects."""

    unit: Unit
    adjacency: Adjacency | None
    mass_bound: Fraction
    records: int


@click.command()
@click.argument("deployments", nargs=-1, type=click.Path(path_type=Path))
@click.option("--gaussian", type=Number(), multiple=True, help="sigma of a release with Gaussian noise; repeatable.")
@click.option("--laplace", type=Number(), multiple=True, help="b of a release with Laplace noise; repeatable.")
@click.option("--adjacency", type=click.Choice(ADJACENCIES), help="For --gaussian and --laplace.")
@click.option("--mass-bound", type=Number(), default="1", help="B, for --gaussian and --laplace.")
@click.option("--unit", type=click.Choice(("record", "user")), default="record", help="For --gaussian and --laplace.")
@click.option("--records", type=click.IntRange(1, 10**6), default=1, help="k units to be protected together.")
@click.option("--delta", "deltas", type=Number(), multiple=True, help="Print the epsilon at this delta; repeatable.")
@click.option("--second-opinion", "asked", is_flag=True, help="Ask dp-accounting too, at each delta.")
@click.option("--svg", type=click.Path(path_type=Path), help="Draw the curve into this file.")
@click.option("--csv", type=click.Path(path_type=Path), help="Write the points of the curve into this file.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def curve(
    deployments: tuple[Path, ...], gaussian: tuple[Fraction, ...], laplace: tuple[Fraction, ...],
    adjacency: Adjacency | None, mass_bound: Fraction, unit: Unit, records: int, deltas: tuple[Fraction, ...],
    asked: bool, svg: Path | None, csv: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Show epsilon at several deltas, native parameters and the curve, for DEPLOYMENTS or for stated noise.

    Several releases are composed: of one population, with parameters that were fixed in advance.  The sum of their
    claims, which the ledger adds, holds without that condition and is shown beside it.  The exit code is 1 where
    dp-accounting's figure is larger than ours and nothing explains it.
    """
    terms = Terms(unit, adjacency, mass_bound, records)
    releases = [*_stated("gaussian", gaussian, terms), *_stated("laplace", laplace, terms)]
    if deployments or not releases:
        releases = _declared(deployments or (None,), records) + releases
    answer = answered(releases, Question(deltas or USUAL, records, asked))
    if csv is not None:
        files.write(csv, curve_views.table(answer))
    if svg is not None:
        files.write(svg, curve_views.picture(answer))
    click.echo(
        canonical.dumps(curve_views.tree(answer)).decode() if as_json else curve_views.text(answer), nl=not as_json
    )
    return int(any(opinion.note == UNEXPLAINED for row in answer.readings for opinion in row.opinions))


def _declared(paths: Sequence[Path | None], records: int) -> list[Release]:
    """The releases of deployments.

    Raises:
        UsageError: naming the one of another population.
    """
    found: list[Release] = []
    first = None
    for path in paths:
        setting = setting_of(path)
        d = setting.deployment
        if first not in (None, d.population):
            raise UsageError(
                f"{path}: population", f"{d.population!r} is not {first!r}", "compose releases of one population"
            )
        first = d.population
        claimed = Guarantee(Fraction(d.mechanism.epsilon), Fraction(d.mechanism.delta), d.unit, d.adjacency)
        known = of_deployment(d, len(setting.universe), records)
        found.append(Release(f"{d.name} ({d.mechanism.kind})", known, d.unit, d.adjacency, claimed, _built(d)))
    return found


def _built(d: Deployment) -> Built | None:
    """The deployment's universe, where it was built from protected records."""
    cost = d.universe.charge
    if cost is None:
        return None
    return Built(d.universe.sha256, Guarantee(Fraction(cost.epsilon), Fraction(cost.delta), d.unit, d.adjacency))


def _stated(mechanism: Additive, scales: tuple[Fraction, ...], terms: Terms) -> list[Release]:
    """Releases with real-valued noise of stated scales.

    Raises:
        UsageError: without an adjacency, or for a scale that adds no noise.
    """
    found = []
    for scale in scales:
        if terms.adjacency is None:
            raise UsageError("--adjacency", f"--{mechanism} needs it", "write add_drop or replacement")
        claim = Claim(mechanism, terms.adjacency, terms.records * terms.mass_bound, Fraction(0), Fraction(0))
        known = _curve(Stated(claim, scale))
        found.append(Release(f"{mechanism} {exact(scale)}", known, terms.unit, claim.adjacency, None))
    return found


def _curve(stated: Stated) -> Curve:
    moved = stated.claim.moved
    if stated.claim.mechanism == "gaussian":
        return GaussianCurve(moved.l2_squared / stated.scale**2)
    return RealLaplace(moved.coordinate / stated.scale, coordinates_of(stated.claim.adjacency, ATOMS))
