"""`dpspin experiment baselines`: the plan beside what it is compared with, on the embedded corpus."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from dpspin.corpus import embedded
from dpspin.corpus.split import auxiliary
from dpspin.curator.noise import SeededBits
from dpspin.errors import UsageError
from dpspin.pipeline import Setting
from dpspin_audits.cli.inputs import Seed, setting_of
from dpspin_experiments.baselines.comparison import Output, evidence_of, outputs
from dpspin_experiments.baselines.evidence import Shown
from dpspin_experiments.baselines.methods import METHODS, WITHOUT_NOISE
from dpspin_experiments.lexical import Rarity, rarity, similarity

SEED = bytes.fromhex("ba5e")
ALPHA = 0.001
HEADER = ("method", "epsilon", "delta", "overlap", "tf-idf", "measured epsilon")
NOTICE = "NON-PRIVATE: seeded noise, and references that read protected records; for the curator of an invented corpus."
NOTES = (
    "overlap: share of the exact highest entries that were told, each method against its own exact counts.",
    "tf-idf: cosine of the text with that of the plan without noise; a plan shares its labels and its sentences.",
    "The category histogram reads the label that the source gives a record, which no plan reads.",
    f"measured: lower bound at confidence {1 - ALPHA:g} for all rows together, on pairs made for the audit.",
)


@click.command(short_help="Compare the plan with baselines of the same budget.")
@click.argument("deployment", required=False, type=click.Path(path_type=Path))
@click.option("--seed", type=Seed(), default=SEED, help="Hexadecimal bytes; the same seed gives the same table.")
@click.option("--texts", is_flag=True, help="Print every text, too.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, accounting included.")
def baselines(deployment: Path | None, seed: bytes, texts: bool, as_json: bool) -> int:
    """Compare the plan of DEPLOYMENT with baselines of the same budget on the embedded corpus.

    Plan and private baselines have accounting of their own and are audited one by one; exit code 1 where a claim, or
    the law that is stated for its noise, is refuted.
    """
    setting = setting_of(deployment)
    if not setting.deployment.corpus.synthetic:
        raise UsageError("deployment", "not declared synthetic", "compare on invented records")
    records = list(embedded.corpus(setting.deployment))
    found = list(outputs(setting, records, SeededBits(seed)))
    shown = list(evidence_of(setting, seed, ALPHA))
    weights = rarity(r.text or "" for r in auxiliary(records, setting.deployment.corpus.split, setting.deployment.user))
    if as_json:
        click.echo(json.dumps(tree(setting, found, shown, weights), indent=2, sort_keys=True))
    else:
        click.echo(table(found, shown, weights))
        for each in found if texts else ():
            click.echo(f"\n{each.name}\n{each.text.rstrip()}")
    return int(any(each.accused for each in shown))


def tree(setting: Setting, found: Sequence[Output], shown: Sequence[Shown], weights: Rarity) -> dict[str, Any]:
    """`{schema: dpspin-baselines/1, ...}`."""
    alike, evidence = _alike(found, weights), {each.name: each._asdict() for each in shown}
    return {
        "schema": "dpspin-baselines/1",
        "notice": NOTICE,
        "unit": setting.deployment.unit,
        "adjacency": setting.deployment.adjacency,
        "methods": [
            {
                "name": each.name, **METHODS[each.name]._asdict(), "text": each.text,
                "accounting": list(each.accounting), "utility": each.utility and each.utility._asdict(),
                "cost": each.cost and {"epsilon": str(each.cost.epsilon), "delta": str(each.cost.delta)},
                "tfidf": alike[each.name], "evidence": evidence.get(each.name),
            }
            for each in found
        ],
    }  # fmt: skip


def table(found: Sequence[Output], shown: Sequence[Shown], weights: Rarity) -> str:
    """Methods in columns."""
    alike, measured = _alike(found, weights), {each.name: _measured(each) for each in shown}
    rows = [HEADER]
    for each in found:
        cost = ("none", "") if each.cost is None else (f"{float(each.cost.epsilon):g}", f"{float(each.cost.delta):.3g}")
        overlap = "" if each.utility is None else f"{each.utility.overlap:.2f}"
        rows.append((each.name, *cost, overlap, f"{alike[each.name]:.2f}", measured.get(each.name, "")))
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADER))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([NOTICE, "", *lines, "", *NOTES])


def _measured(each: Shown) -> str:
    return f"at least {each.epsilon_at_least:.2f}" + ("; refuted" if each.accused else "")


def _alike(found: Sequence[Output], weights: Rarity) -> dict[str, float]:
    reference = next(each.text for each in found if each.name == WITHOUT_NOISE)
    return {each.name: similarity(each.text, reference, weights).tfidf for each in found}
