"""`dpspin experiment attack`: crafted records against two ways of publishing."""

import json
from pathlib import Path
from typing import Any

import click

from dpspin.errors import UsageError
from dpspin.settings import Exact
from dpspin_audits import files
from dpspin_audits.cli.inputs import Seed, setting_of
from dpspin_audits.report.svg import svg
from dpspin_experiments.attack import figure, page
from dpspin_experiments.attack.clusters import SHAPE
from dpspin_experiments.attack.demonstration import ALPHA, CHANCE, Row, Terms, demonstrate

SEED = bytes.fromhex("c110")


@click.command(short_help="Show what crafted records find out about one person.")
@click.option(
    "--crafted", type=click.IntRange(0, 1000), multiple=True, default=(0, 10, 50), help="Records; repeatable."
)
@click.option("--trials", type=click.IntRange(10, 100_000), default=300, help="Corpora for every row.")
@click.option("--epsilon", default="1", help="Loss of the plan where one record replaces another.")
@click.option("--seed", type=Seed(), default=SEED, help="Hexadecimal bytes; the same seed gives the same table.")
@click.option("--page", "html", type=click.Path(path_type=Path), help="Write a page that explains it.")
@click.option("--svg", "picture", type=click.Path(path_type=Path), help="Write the figure.")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
def attack(  # noqa: PLR0913, PLR0917 - click decides the parameters
    crafted: tuple[int, ...], trials: int, epsilon: str, seed: bytes, html: Path | None, picture: Path | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Show what an attacker who inserts records learns about one person.

    A pipeline that groups records and drops small groups stands against a plan of the embedded deployment, on invented
    records.  The table has the attacker's success, chance, the bound that (epsilon, delta) sets, and measured epsilon.
    Exit code 1 where the claim of a plan is refuted.
    """
    rows = demonstrate(setting_of(None), loss(epsilon), Terms(seed, trials, tuple(dict.fromkeys(crafted))))
    if html is not None:
        files.write(html, page.page(rows))
    if picture is not None:
        files.write(picture, svg(figure.drawing(rows, SHAPE.smallest, "wide")))
    click.echo(json.dumps(tree(rows, seed), indent=2, sort_keys=True) if as_json else page.text(rows), nl=as_json)
    return int(any(row.refuted for row in rows))


def loss(text: str) -> Exact:
    """An epsilon as a deployment takes it.

    Raises:
        UsageError: when it is none.
    """
    try:
        found = Exact(text)
    except (ValueError, ZeroDivisionError):
        found = None
    if found is None or not 0 < found <= 2**20:
        raise UsageError("--epsilon", f"{text!a:.40} is no loss", "write a decimal above 0, such as 0.5")
    return found


def tree(rows: list[Row], seed: bytes) -> dict[str, Any]:
    """`{schema: dpspin-attack/1, ...}`."""
    return {
        "schema": "dpspin-attack/1",
        "seed": seed.hex(),
        "synthetic": True,
        "smallest_group": SHAPE.smallest,
        "chance": CHANCE,
        "confidence": 1 - ALPHA,
        "rows": [row._asdict() for row in rows],
    }
