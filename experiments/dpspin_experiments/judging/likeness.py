"""How alike each method's text is to that of the plan without noise (appendix B.5): computed by the curator.

These are functions of a NON-PRIVATE text; they are never shown to a judge.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dpspin_experiments.judging.methods import Item
from dpspin_experiments.judging.rater import body
from dpspin_experiments.judging.tables import Stat, grouped, stat
from dpspin_experiments.lexical import Rarity, Similarity, similarity

MEASURES = Similarity._fields


class Likeness(NamedTuple):
    """One method beside the reference."""

    method: str
    measures: Mapping[str, Stat | None]
    """Token, bigram and keyphrase Jaccard, TF-IDF cosine."""


def likeness(items: Sequence[Item], reference: Item, weights: Rarity) -> list[Likeness]:
    """All methods but the reference; the experiment's notices are left out on both sides.

    Args:
        items: summaries.
        reference: the plan without noise and its text, by whichever writer.
        weights: rarity of words in auxiliary texts.
    """
    said = body(reference.exhibit)
    rows = []
    for method, each in grouped(items).items():
        if method != reference.method:
            found = [similarity(body(item.exhibit), said, weights)._asdict() for item in each]
            rows.append(Likeness(method, {name: stat(row[name] for row in found) for name in MEASURES}))
    return rows
