"""A rule-based rater: counts on the same exhibits, without a language model.

It is another instrument than a judge and its numbers never stand in a judge's table.  It needs no server and always
gives the same numbers, so that a table for every method can always be made.  A dimension that no rule decides is left
out: insightfulness always, and whatever cannot be looked up in the object at hand.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from dpspin import plan as plans
from dpspin.decoder.verifier import Verifier
from dpspin.universe import fold
from dpspin_experiments.baselines.redaction import RULES
from dpspin_experiments.judging.answers import HIGHEST, LOWEST
from dpspin_experiments.judging.exhibit import Exhibit

NAME = "rule-based rater, no language model"
VERSION = "dpspin-rater/1"
NOTES = (
    "faithfulness: of a plan's text, the share of sentences that the public verifier accepts; of a text from entries "
    "or groups, the share of its numbers and listed names that stand in the object; of a text from units without "
    "numbers of its own, the share of its sentences that stand in a unit word for word.",
    "coverage: the share of the names in the object that the text has.",
    "insightfulness: no rule decides it.",
    "clarity: 5 for at most 15 words a sentence or line on average, 1 from 45 on.",
    "text safety: 5 without, 3 with one, 1 with more words that look like an address, a date, an amount, a long number "
    "or a name.",
    "A share s is shown as 1 + 4 s. Different objects are counted by different rules: rows are not on one scale.",
)  # fmt: skip
EASY, HARD = 15, 45
"""Words of a sentence."""
MASKED = "[masked]"
"""The rule of redaction that finds what is masked already."""

SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
LISTED = re.compile(r"^[^:\n]*:\s*(.+?)\.?$", re.MULTILINE)
BRACKET = re.compile(r"\s*\([^()]*\)$")


def rate(exhibit: Exhibit) -> dict[str, float | None]:
    """Scores from 1 to 5 by dimension; None where no rule decides."""
    tree, text = exhibit.tree(), body(exhibit)
    return {
        "faithfulness": _score(_supported(exhibit, tree, text)),
        "coverage": _score(_share([fold(name) in fold(text) for name in _names(tree)])),
        "insightfulness": None,
        "clarity": _score(_ease(text)),
        "text_safety": _score(1 - min(2, _identifying(text)) / 2),
    }


def body(exhibit: Exhibit) -> str:
    """The text without the experiment's notice."""
    stamp = exhibit.tree().get("stamp")
    return exhibit.text.removeprefix(stamp).lstrip() if isinstance(stamp, str) else exhibit.text


def _score(share: float | None) -> float | None:
    return None if share is None else LOWEST + (HIGHEST - LOWEST) * share


def _share(found: Sequence[bool]) -> float | None:
    return sum(found) / len(found) if found else None


def _supported(exhibit: Exhibit, tree: Mapping[str, Any], text: str) -> float | None:
    if "plan_id" in tree:
        verdict = Verifier(plans.decode(exhibit.visible, "plan.json")).verify(exhibit.text)
        return len(verdict.sentences) / max(1, len(verdict.sentences) + len(verdict.violations))
    if "units" in tree:
        whole = "\n".join(unit["text"] for unit in tree["units"])
        written = [sentence.strip() for sentence in SENTENCE.split(text) if sentence.strip()]
        return None if NUMBER.search(text) else _share([sentence in whole for sentence in written])
    numbers, names = _numbers(tree), {fold(name) for name in _names(tree)}
    said = [BRACKET.sub("", part) for line in LISTED.findall(text) for part in line.split(", ")]
    found = [number.replace(",", "") in numbers for number in NUMBER.findall(text)]
    return _share(found + [fold(name) in names for name in said])


def _names(tree: Mapping[str, Any]) -> list[str]:
    """What the object names."""
    if "groups" in tree:
        words = (word for group in tree["groups"] for word in group.get("keywords", group.get("terms", ())))
        return list(dict.fromkeys(words))
    return [row["label"] for row in tree.get("released", tree.get("entries", ()))]


def _numbers(tree: Mapping[str, Any]) -> set[str]:
    """Counts and sizes in the object."""
    rows = [*tree.get("groups", ()), *tree.get("entries", ())]
    return {str(value) for row in rows for value in row.values() if type(value) is int}


def _ease(text: str) -> float | None:
    lengths = [len(sentence.split()) for sentence in SENTENCE.split(text) if sentence.strip()]
    if not lengths:
        return None
    mean = sum(lengths) / len(lengths)
    return min(1.0, max(0.0, (HARD - mean) / (HARD - EASY)))


def _identifying(text: str) -> int:
    plain = unicodedata.normalize("NFKC", text)
    return sum(len(pattern.findall(plain)) for kind, pattern in RULES if kind != MASKED)
