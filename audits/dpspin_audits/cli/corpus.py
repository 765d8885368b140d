"""`dpspin corpus`: public files of a deployment from auxiliary text."""

from pathlib import Path
from typing import Any

import click

from dpspin import canonical, universe
from dpspin.corpus import fit, jsonl, representation, split
from dpspin.deployment import Split
from dpspin.settings import Exact
from dpspin_audits.cli.inputs import open_corpus
from dpspin_audits.files import Staging, check_free

SHORTEST_KEY = 8


class Share(click.ParamType[Exact]):
    """An exact share between 0 and 1."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Exact:
        """From text to a number."""
        try:
            share = Exact(value)
        except ValueError as error:
            self.fail(f"{value!r}: {error}", param, ctx)
        if not 0 < share < 1:
            self.fail(f"{value!r} is not a share between 0 and 1", param, ctx)
        return share


def _long_enough(ctx: click.Context, param: click.Parameter, value: str) -> str:
    if len(value) < SHORTEST_KEY:
        raise click.BadParameter(f"{value!r} is shorter than {SHORTEST_KEY} characters", ctx, param)
    return value


@click.group()
def corpus() -> None:
    """Build the public files of a deployment from auxiliary text."""


@corpus.command("universe")
@click.argument("corpus_file", metavar="CORPUS", type=click.Path(path_type=Path))
@click.option("--label-field", "label_fields", multiple=True, required=True, help="Field of the label; repeat to join.")
@click.option("--size", required=True, type=click.IntRange(1), help="m: most atoms.")
@click.option("--rule", default="centroid", type=click.Choice(["centroid", "label"]), show_default=True)
@click.option("--text-field", default="text", show_default=True)
@click.option("--id-field", default="id", show_default=True)
@click.option("--split-key", required=True, callback=_long_enough, help="corpus.split.key of the deployment.")
@click.option("--auxiliary-share", default="1/2", type=Share(), show_default=True)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="New folder for the two files.")
def universe_of(
    corpus_file: Path, label_fields: tuple[str, ...], size: int, rule: str, text_field: str, id_field: str,
    split_key: str, auxiliary_share: Exact, out: Path,
) -> None:  # fmt: skip
    """Write universe.json and weights.json from the auxiliary half of CORPUS and print their digests.

    Only records whose id falls in the auxiliary half are used; people in them get no guarantee (spec.md section 8).
    """
    check_free(out)
    halves = Split.model_validate({"key": split_key, "auxiliary_share": auxiliary_share.text})
    with Staging(out) as staging, open_corpus(corpus_file) as stream:
        jsonl.validate(stream, str(corpus_file))
        records = jsonl.records(stream, str(corpus_file), jsonl.Fields(id_field, text_field))
        fitted = fit.build(split.auxiliary(records, halves), label_fields, size, rule)
        built = {
            "universe.json": universe.encode(fitted.universe),
            "weights.json": representation.encode(fitted.weights),
        }
        staging.put(built)
        staging.publish()
    click.echo(f"{len(fitted.universe)} atoms in {out}; {len(fitted.skipped)} labels could not be used")
    for name, data in built.items():
        click.echo(f'{name} sha256: "{canonical.digest(data)}"')
