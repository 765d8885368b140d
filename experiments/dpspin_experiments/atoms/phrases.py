"""Two-word phrases of auxiliary texts as atoms: extracted, filtered, canonicalised and merged (sections 5.4 and 6.4).

The number of auxiliary documents that hold a phrase decides; phrases with equal support stand in alphabetical order.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from dpspin.corpus.dictionary import Skipped
from dpspin.corpus.fit import STOP_WORDS
from dpspin.errors import UsageError
from dpspin.universe import Universe, label_problem, readings
from dpspin_experiments.atoms.profile import Profile

Phrase = tuple[str, str]

BREAK = re.compile(r"[^a-z'\u2019 \t-]+")
"""What ends a run of words: a phrase does not cross a full stop, a comma or a number."""
WORD = re.compile(r"[a-z]+(?:['\u2019][a-z]+)?")
SHORTEST_WORD = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of the phrases become atoms: all with a support, or the most frequent."""

    least_support: int = 1
    """Auxiliary documents that must hold a phrase; 25 in the paper's Amazon dictionary."""
    size: int | None = None
    """m at most; 50, 100 or 200 in the paper's Yelp dictionaries."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """The atoms and how they came about; everything but the universe is about auxiliary people, for the curator."""

    universe: Universe
    support: Mapping[str, int]
    """Auxiliary documents that hold each atom's phrase, in the order of the universe."""
    counts: Mapping[str, int]
    """Distinct phrases after every step."""
    skipped: tuple[Skipped, ...]


def build(texts: Iterable[str], profile: Profile, choice: Choice) -> Phrases:
    """A universe from auxiliary texts.

    Raises:
        UsageError: when no phrase is left.
    """
    documents = [frozenset(candidates(text, profile)) for text in texts]
    extracted = _support(documents)
    kept = [frozenset(phrase for phrase in document if is_kept(phrase, profile)) for document in documents]
    filtered = _support(kept)
    canonical = [frozenset(profile.phrases.get(phrase, phrase) for phrase in document) for document in kept]
    rewritten = _support(canonical)
    orders = word_orders(rewritten)
    merged = _support(frozenset(orders[phrase] for phrase in document) for document in canonical)
    supported = {phrase: n for phrase, n in merged.items() if n >= choice.least_support}
    chosen, skipped = _chosen(supported, choice.size)
    if not chosen:
        raise UsageError("auxiliary texts", f"no phrase of profile {profile.name} has the support", "ask for less")
    steps = {
        "extracted": extracted, "filtered": filtered, "canonicalised": rewritten, "merged": merged,
        "supported": supported,
    }  # fmt: skip
    sizes = {name: len(step) for name, step in steps.items()} | {"chosen": len(chosen)}
    return Phrases(Universe(tuple(chosen), (None,) * len(chosen)), chosen, sizes, skipped)


def candidates(text: str, profile: Profile) -> Iterator[Phrase]:
    """Neighbouring words of a text, stop words left out and variants replaced: "wasted my money" is waste money."""
    for run in BREAK.split(text.lower()):
        found = (word.replace("'", "").replace("\u2019", "") for word in WORD.findall(run))
        words = [
            profile.words.get(word, word)
            for word in found
            if len(word) >= SHORTEST_WORD and word not in STOP_WORDS and word not in profile.stop
        ]
        yield from ((left, right) for left, right in pairwise(words) if left != right)


def is_kept(phrase: Phrase, profile: Profile) -> bool:
    """Whether a phrase speaks of the domain, and of more than praise or blame."""
    words = set(phrase)
    return bool(
        not words & profile.generic
        and not words & profile.foreign
        and words & profile.domain
        and not words <= profile.sentiment
    )


def held(text: str, profile: Profile, labels: Iterable[str]) -> list[str]:
    """The atoms whose phrase a text holds, in either order of its words; a function of the text and public rules."""
    found = {frozenset(profile.phrases.get(phrase, phrase)) for phrase in candidates(text, profile)}
    return [label for label in labels if frozenset(label.split()) in found]


def word_orders(support: Mapping[Phrase, int]) -> dict[Phrase, Phrase]:
    """Every phrase with the order of its words that more documents have; the alphabetical one on a tie."""
    return {phrase: min((phrase, phrase[::-1]), key=lambda each: (-support.get(each, 0), each)) for phrase in support}


def _support(documents: Iterable[frozenset[Phrase]]) -> Counter[Phrase]:
    return Counter(phrase for document in documents for phrase in document)


def _chosen(supported: Mapping[Phrase, int], size: int | None) -> tuple[dict[str, int], tuple[Skipped, ...]]:
    """Labels by falling support, as many as asked for, and those that no universe may hold."""
    chosen: dict[str, int] = {}
    read: dict[tuple[int, str], str] = {}
    skipped = []
    for phrase, support in sorted(supported.items(), key=lambda item: (-item[1], item[0])):
        label = " ".join(phrase)
        twins = [read[reading] for reading in readings(label) if reading in read]
        reason = label_problem(label) or (f"reads like {min(twins)!a}" if twins else None)
        if size is not None and len(chosen) == size:
            break
        if reason is None:
            chosen[label] = support
            read.update(dict.fromkeys(readings(label), label))
        else:
            skipped.append(Skipped(label, reason))
    return chosen, tuple(skipped)
