"""`dpspin experiment judge`: every method's summary, judged beside the object that its writer was given."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from dpspin.corpus import embedded
from dpspin.corpus.jsonl import Record
from dpspin.corpus.split import auxiliary
from dpspin.decoder.endpoint import VARIABLE, Endpoint
from dpspin.errors import NoAnswerError, SubjectError, UsageError
from dpspin.pipeline import Setting
from dpspin_audits.cli.inputs import Seed, setting_of
from dpspin_experiments.baselines.methods import PLAN, WITHOUT_NOISE
from dpspin_experiments.judging import evaluation, methods, preflight, results
from dpspin_experiments.judging.duels import Tally
from dpspin_experiments.judging.evaluation import Terms
from dpspin_experiments.judging.likeness import Likeness, likeness
from dpspin_experiments.judging.methods import Item
from dpspin_experiments.judging.results import NOTICE, Results
from dpspin_experiments.judging.scoring import Bench, Judge
from dpspin_experiments.judging.store import Store
from dpspin_experiments.judging.tables import Row
from dpspin_experiments.judging.writing import Texts
from dpspin_experiments.lexical import rarity

SEED = bytes.fromhex("1d6e")
BACKENDS = click.Choice(["template", "llm"])
SILENCE = (
    "no usable answer to several questions in a row; what was answered is kept: check the address, the name of the "
    "model and the key, and run the same command again"
)
OPEN = 3
"""Exit code where a summary or a pair has no answer that could be read."""


@click.command(short_help="Judge summaries of all methods; evaluation only.")
@click.argument("deployment", required=False, type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder of results; answers in it are kept."
)
@click.option("--seeds", type=click.IntRange(1, 1000), default=5, show_default=True, help="Releases a method.")
@click.option("--seed", type=Seed(), default=SEED, help="Hexadecimal bytes, of noise and of the order of questions.")
@click.option("--endpoint", "url", help="Base URL of an OpenAI-compatible server; without it, rules alone rate.")
@click.option("--model", "name", help="Name of the model at that server.")
@click.option("--key-variable", default=VARIABLE, show_default=True, help="Environment variable of the server's key.")
@click.option("--no-key", is_flag=True, help="The server needs no key.")
@click.option("--temperature", type=click.FloatRange(0, 2), default=0.0, show_default=True, help="Of the model.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True, help="Seconds.")
@click.option("--longest", type=click.IntRange(1), default=100_000, show_default=True, help="Characters a judge reads.")
@click.option("--decoder", type=BACKENDS, default="template", show_default=True, help="Who writes the summaries.")
@click.option(
    "--clean-reference-decoder", "clean", type=BACKENDS, help="Who writes the reference's (default: as above)."
)
def judge(  # noqa: PLR0913, PLR0917 - click decides the parameters
    deployment: Path | None, out: Path, seeds: int, seed: bytes, url: str | None, name: str | None, key_variable: str,
    no_key: bool, temperature: float, timeout: float, longest: int, decoder: str, clean: str | None,
) -> int:  # fmt: skip
    """Judge the summaries of DEPLOYMENT's plan and of every baseline, on the embedded corpus.

    Evaluation only, never in the privacy path: nothing of it is released.  Each text is judged beside the object that
    its writer was given, and nothing else.  A rule-based rater always runs; a language model where one is named.

    Exit codes: 3 where a question has no answer that could be read, 4 where the server falls silent.
    """
    setting, clean = setting_of(deployment), clean or decoder
    model = _model(url, name, None if no_key else key_variable, (temperature, timeout))
    if model is None and "llm" in {decoder, clean}:
        raise UsageError("--decoder", "llm without a model", "name one by --endpoint and --model")
    records = list(embedded.corpus(setting.deployment))
    found = list(methods.items(setting, records, seed, seeds))
    store = Store(out)
    declared = _declared(setting, seed, seeds) | {
        "decoder_backend": decoder, "clean_reference_decoder_backend": clean, "longest exhibit shown": f"{longest:,}",
    }  # fmt: skip
    rows, pairs = list[Row](), list[Tally]()
    try:
        if model is not None and "llm" in {decoder, clean}:
            found, fallbacks = _written(found, model, store, setting, (decoder, clean, longest))
            declared["plans whose text is the fallback"] = str(fallbacks)
        if model is not None:
            with _progress("questions", evaluation.steps(found, longest)) as tick:
                bench = Bench(model, store.kept, store.keep)
                rows, pairs = evaluation.by_model(found, bench, Terms(seed, longest, tick))
    except NoAnswerError:
        raise SubjectError(f"{url}, model {name}", SILENCE) from None
    alike = _likeness(setting, records, found)
    judged_by = None if model is None else model.declared
    rated, texts = evaluation.by_rules(found), evaluation.texts(found)
    whole = Results(declared, judged_by, rated, rows, pairs, alike, texts)
    for form, data in {"html": results.page(whole), "csv": results.table(whole), "json": results.tree(whole)}.items():
        store.write(f"judge.{form}", data)
    click.echo(f"{NOTICE}\n{results.lines(whole)}\n{out / 'judge.html'}")
    return OPEN if whole.unread else 0


def _model(url: str | None, name: str | None, key: str | None, how: tuple[float, float]) -> Judge | None:
    """The language model that is asked, reached once; None where none is named."""
    if url is None and name is None:
        return None
    if url is None or name is None:
        missing = "--endpoint" if url is None else "--model"
        raise UsageError(missing, "not given", "name both a server and its model, or neither")
    endpoint = Endpoint(url, name, temperature=how[0], timeout=how[1], key_variable=key)
    preflight.check(endpoint)

    def _answer(messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None, seed: int) -> str:
        return replace(endpoint, seed=seed).answer(messages, schema)

    return Judge(_answer, {"server": url, "model": name, "temperature": str(how[0])})


def _written(
    found: list[Item], model: Judge, store: Store, setting: Setting, how: tuple[str, str, int]
) -> tuple[list[Item], int]:
    """Summaries by the model where it is to write, and how many plans fell back on the template's."""
    decoder, clean, longest = how
    texts = Texts(model, store.kept, store.keep)
    under = texts.under(setting.deployment.decoder)
    asked = {item.method for item in found if len(item.exhibit.visible.decode()) <= longest}
    names = [name for name in asked if (clean if name == WITHOUT_NOISE else decoder) == "llm"]
    with _progress("texts", sum(item.method in names for item in found)) as tick:

        def _ticking(write: methods.Write) -> methods.Write:
            def _write(visible: bytes) -> str:
                text = write(visible)
                tick()
                return text

            return _write

        writers = {name: _ticking(under if name in {PLAN, WITHOUT_NOISE} else texts.freely) for name in names}
        return methods.rewritten(found, writers), texts.fallbacks


@contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr where that is a terminal."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)


def _likeness(setting: Setting, records: Sequence[Record], found: Sequence[Item]) -> list[Likeness]:
    deployment = setting.deployment
    weights = rarity(record.text or "" for record in auxiliary(records, deployment.corpus.split, deployment.user))
    return likeness(found, evaluation.reference_of(found), weights)


def _declared(setting: Setting, seed: bytes, seeds: int) -> dict[str, str]:
    deployment = setting.deployment
    mechanism = deployment.mechanism
    return {
        "corpus": "the embedded one: invented people", "deployment": deployment.name,
        "unit and adjacency": f"{deployment.unit}, {deployment.adjacency.replace('_', '/')}",
        "mechanism": f"{mechanism.kind}, epsilon {mechanism.epsilon.text}, delta {mechanism.delta.text}",
        "universe, atoms a unit, plan size": f"m = {len(setting.universe)}, K = {deployment.assignment.max_atoms}, "
        f"L = {deployment.plan.size}",
        "releases of each method with noise": str(seeds), "seed": seed.hex(),
    }  # fmt: skip
