"""Every method's object and the text that was written from it, as exhibits: the curator's side of the evaluation.

An object is what the method's writer was given (`baselines.comparison.Output.seen`); a test writes every text again
from the shown bytes and public terms alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from dpspin import canonical
from dpspin import plan as plans
from dpspin.corpus.jsonl import Record
from dpspin.curator.noise import SeededBits
from dpspin.errors import UsageError
from dpspin.pipeline import Setting
from dpspin_experiments.baselines.comparison import Output, prepared, private_of, references_of
from dpspin_experiments.baselines.methods import PLAN, WITHOUT_NOISE
from dpspin_experiments.judging.exhibit import Exhibit

UNPROTECTED = "NON-PRIVATE: made from protected records without noise."
PURPOSE = 0x1D6E
"""Of the noise: another stream than that of any other command with the same seed."""

Write = Callable[[bytes], str]
"""A writer: from an object alone to a text."""


class Item(NamedTuple):
    """One summary to be judged."""

    method: str
    noisy: bool
    """Whether noise makes releases differ; a reference is made once."""
    seed: int
    """Number of the release, from 0."""
    exhibit: Exhibit


def items(setting: Setting, records: Sequence[Record], seed: bytes, seeds: int) -> Iterator[Item]:
    """Every summary: release by release all noisy methods, then the references, each once.

    Nothing is charged: the corpus is declared synthetic, and every object and text carries a stamp.

    Raises:
        UsageError: where the corpus is not declared synthetic; its records would go to a judge.
    """
    if not setting.deployment.corpus.synthetic:
        raise UsageError("deployment", "not declared synthetic", "judge on invented records")
    found = prepared(replace(setting, stand_in=True), records)  # the template writes: no server is asked here
    for number in range(seeds):
        for output in private_of(found, SeededBits(seed + number.to_bytes(4, "big"), PURPOSE)):
            yield Item(output.name, True, number, exhibit(output, plans.SEEDED))
    for output in references_of(found):
        yield Item(output.name, False, 0, exhibit(output, UNPROTECTED))


def exhibit(output: Output, stamp: str) -> Exhibit:
    """What the writer was given and what it wrote.

    A plan has its stamp; the others are given one, in object and text, so that no method alone bears the notice of the
    experiment.
    """
    if output.name in {PLAN, WITHOUT_NOISE}:
        return Exhibit(canonical.dumps(output.seen), output.text)
    return Exhibit(canonical.dumps({"stamp": stamp, **output.seen}), f"{stamp}\n\n{output.text}")


def rewritten(found: Sequence[Item], writers: Mapping[str, Write]) -> list[Item]:
    """The same objects in the words of other writers, by method; a method without one keeps its text."""
    return [
        item._replace(exhibit=Exhibit(item.exhibit.visible, writers[item.method](item.exhibit.visible)))
        if item.method in writers
        else item
        for item in found
    ]
