"""`dpspin corpus`: from files of any kind to the canonical corpus, and from auxiliary text to public files."""

import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dpspin import canonical, universe
from dpspin.corpus import fit, jsonl, representation, split
from dpspin.corpus.convert import AUDIENCE, Conversion, Converter
from dpspin.corpus.inspect import inspect
from dpspin.corpus.reader import Corpus
from dpspin.deployment import Split, User
from dpspin.errors import UsageError
from dpspin.settings import Exact
from dpspin_audits.cli.inputs import open_corpus
from dpspin_audits.files import Staging, check_free, write_new

SHORTEST_KEY = 8
OWNER_ALONE = 0o600


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


class Rename(click.ParamType[tuple[str, str]]):
    """Two names of a field."""

    name = "old=new"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """From text to both names."""
        old, _, new = value.partition("=")
        if not old or not new:
            self.fail(f"{value!r} is not old=new", param, ctx)
        return old, new


def _long_enough(ctx: click.Context, param: click.Parameter, value: str) -> str:
    if len(value) < SHORTEST_KEY:
        raise click.BadParameter(f"{value!r} is shorter than {SHORTEST_KEY} characters", ctx, param)
    return value


@click.group()
def corpus() -> None:
    """Prepare records, and build the public files of a deployment from auxiliary text."""


@corpus.command("inspect")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--id-field", "id", help="Field of record ids (default: a usual name).")
@click.option("--text-field", "text", help="Field of texts (default: a usual name).")
@click.option("--user-field", "user", help="Field of user ids (default: a usual name).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def inspect_file(file: Path, as_json: bool, **named: str | None) -> None:
    """Count what FILE holds: CSV, a JSON array or JSON Lines, plain or gzip.

    The figures are exact counts of protected records: they are for the curator and are never published.
    """
    with open_corpus(file) as stream:
        found = inspect(Corpus(stream, str(file)), {role: name for role, name in named.items() if name is not None})
    if as_json:
        click.echo(canonical.dumps(found).decode(), nl=False)
        return
    console = Console()
    console.print(Text(AUDIENCE, "bold"))
    _print(console, "file", ("what", "found"), _flat(found["source"]))
    counts = ("missing", "null", "empty", "not_a_string")
    rows = ((field["name"], *(field[count] for count in counts)) for field in found["fields"])
    _print(console, "fields", ("field", *counts), rows)
    for role, figures in found["roles"].items():
        _print(console, f"{role} field", ("what", "found"), _flat(figures))
    for role in ("id", "text"):
        if role not in found["roles"]:
            console.print(f"no {role} field was recognised: name it with --{role}-field")


def _flat(tree: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for name, value in tree.items():
        words = name.replace("_", " ")
        if isinstance(value, dict):
            yield from ((f"{words}, {inner}", count) for inner, count in value.items())
        else:
            yield words, value


def _print(console: Console, title: str, headings: Iterable[str], rows: Iterable[tuple[object, ...]]) -> None:
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading.replace("_", " "), overflow="fold")
    for name, *values in rows:
        table.add_row(Text(str(name)), *(Text(str(value)) for value in values))
    console.print(table)


@corpus.command("convert")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--to", "out", required=True, type=click.Path(path_type=Path), help="New file of JSON Lines.")
@click.option("--id-field", required=True, help="Field of record ids.")
@click.option("--text-field", required=True, help="Field of texts.")
@click.option("--user-field", help="Field of user ids.")
@click.option("--keep", "kept", multiple=True, metavar="FIELD", help="A further field; repeat for several.")
@click.option("--rename", "renamed", multiple=True, type=Rename(), help="Write a field under another name.")
@click.option("--drop-empty-text", is_flag=True, help="Leave out rows without text, and list them in the report.")
@click.option("--ids-as-written", is_flag=True, help="Take numbers as ids by their digits; else they are refused.")
def convert_file(file: Path, out: Path, **asked: Any) -> None:
    """Write the rows of FILE as canonical JSON Lines, and OUT.report.json about what was found and left out.

    FILE is CSV, a JSON array or JSON Lines, plain or gzip.  Values are written exactly as they are read, or the file is
    refused.  Both files are for the curator alone.
    """
    report = out.with_name(f"{out.name}.report.json")
    for place in (out, report):
        check_free(place)
    with open_corpus(file) as stream:
        converter = Converter(Corpus(stream, str(file)), Conversion(**asked))
        _write(converter, out, report)
    found = converter.report()
    dropped = sum(entry["count"] for entry in found["dropped"])
    click.echo(f"{found['written']} of {found['source']['rows']} rows in {out}; {dropped} left out; see {report}")


def _write(converter: Converter, out: Path, report: Path) -> None:
    """Both files or neither, for their owner alone; the report comes first, so that no corpus stands without it."""
    token = secrets.token_hex(6)
    parts = {final: final.with_name(f".{final.name}.{token}.tmp") for final in (report, out)}
    try:
        write_new(parts[out], converter.lines(), OWNER_ALONE)
        write_new(parts[report], [canonical.dumps(converter.report())], OWNER_ALONE)
        for final, part in parts.items():
            part.rename(final)
    except OSError as error:
        raise UsageError(str(out), f"cannot be written ({error.strerror})", "make room or name another file") from error
    finally:
        for part in parts.values():
            with suppress(OSError):
                part.unlink()


@corpus.command("universe")
@click.argument("corpus_file", metavar="CORPUS", type=click.Path(path_type=Path))
@click.option("--label-field", "label_fields", multiple=True, required=True, help="Field of the label; repeat to join.")
@click.option("--size", required=True, type=click.IntRange(1), help="m: most atoms.")
@click.option("--rule", default="centroid", type=click.Choice(["centroid", "label"]), show_default=True)
@click.option("--text-field", default="text", show_default=True)
@click.option("--id-field", default="id", show_default=True)
@click.option("--user-field", help="user.id_field, where the unit is a user.")
@click.option("--on-missing-user", default="drop", type=click.Choice(["drop", "own_unit"]), show_default=True)
@click.option("--split-key", required=True, callback=_long_enough, help="corpus.split.key of the deployment.")
@click.option("--auxiliary-share", default="1/2", type=Share(), show_default=True)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="New folder for the two files.")
def universe_of(
    corpus_file: Path, label_fields: tuple[str, ...], size: int, rule: str, text_field: str, id_field: str,
    user_field: str | None, on_missing_user: Literal["drop", "own_unit"], split_key: str,
    auxiliary_share: Exact, out: Path,
) -> None:  # fmt: skip
    """Write universe.json and weights.json from the auxiliary half of CORPUS and print their digests.

    Only records whose id (with --user-field: whose user's) falls in the auxiliary half are used; people in them get no
    guarantee (spec.md section 8).
    """
    check_free(out)
    halves = Split.model_validate({"key": split_key, "auxiliary_share": auxiliary_share.text})
    user = User(id_field=user_field, on_missing_user=on_missing_user) if user_field else None
    with Staging(out) as staging, open_corpus(corpus_file) as stream:
        jsonl.validate(stream, str(corpus_file))
        records = jsonl.records(stream, str(corpus_file), jsonl.Fields(id_field, text_field, user_field))
        fitted = fit.build(split.auxiliary(records, halves, user), label_fields, size, rule)
        built = {
            "universe.json": universe.encode(fitted.universe),
            "weights.json": representation.encode(fitted.weights),
        }
        staging.put(built)
        staging.publish()
    click.echo(f"{len(fitted.universe)} atoms in {out}; {len(fitted.skipped)} labels could not be used")
    for atom, longer in universe.families(fitted.universe).items():
        label = fitted.universe.labels[atom]
        click.echo(f"atom {atom} {label!a} begins {len(longer)} longer labels; a text that names it names none of them")
    for name, data in built.items():
        click.echo(f'{name} sha256: "{canonical.digest(data)}"')
