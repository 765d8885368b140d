"""How alike two summaries are as texts (paper appendix B.5 and B.6): secondary measures of putting into words.

Two texts without anything to compare are alike: 1.  What a keyphrase is was lost with the paper's formulas: it is this
project's.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from dpspin.corpus.fit import STOP_WORDS

TOKEN = re.compile(r"[a-z]+|\d+(?:[.,]\d+)*")
PIECE = re.compile(r"[a-z]+(?:[-'][a-z]+)*|[^a-z\s]+")
LONGEST_PHRASE = 4

Embed = Callable[[str], Iterable[float]]
"""A summary_embedding_backend: one text to one vector, as `assignment.embedding.Space` is, or one of the user's own."""


class Similarity(NamedTuple):
    """Each between 0 and 1."""

    token: float
    bigram: float
    keyphrase: float
    tfidf: float


class Rarity(NamedTuple):
    """Inverse document frequencies of public or auxiliary texts, and that of a word they lack."""

    known: Mapping[str, float]
    unknown: float


def rarity(texts: Iterable[str]) -> Rarity:
    """1 + ln((N + 1) / (n + 1)) for every word in n of N texts (smoothed, so that no word weighs nothing)."""
    documents = [set(tokens(text)) for text in texts]
    found = Counter(word for document in documents for word in document)
    whole = len(documents) + 1
    return Rarity({word: 1 + math.log(whole / (n + 1)) for word, n in found.items()}, 1 + math.log(whole))


def similarity(one: str, other: str, weights: Rarity) -> Similarity:
    """All four lexical measures of two texts."""
    left, right = tokens(one), tokens(other)
    return Similarity(
        jaccard(set(left), set(right)),
        jaccard(set(pairwise(left)), set(pairwise(right))),
        jaccard(keyphrases(one), keyphrases(other)),
        _cosine(_weighted(left, weights), _weighted(right, weights)),
    )


def embedding_similarity(one: str, other: str, embed: Embed) -> float:
    """Cosine of the embeddings of two texts, between -1 and 1 (B.6); 0 where one is the zero vector."""
    left, right = ({str(place): float(x) for place, x in enumerate(embed(text))} for text in (one, other))
    return _cosine(left, right)


def tokens(text: str) -> list[str]:
    """Words of letters a to z, and numbers, in lower case."""
    return TOKEN.findall(text.lower())


def keyphrases(text: str) -> set[tuple[str, ...]]:
    """Runs of words between stop words and marks, at most four words of each (Rose et al. 2010)."""
    runs: list[list[str]] = [[]]
    for piece in PIECE.findall(text.lower()):
        if piece[0].isalpha() and len(piece) > 1 and piece not in STOP_WORDS:
            runs[-1].append(piece)
        else:
            runs.append([])
    return {tuple(run[:LONGEST_PHRASE]) for run in runs if run}


def jaccard(one: Set[object], other: Set[object]) -> float:
    """Size of the intersection over size of the union."""
    union = one | other
    return len(one & other) / len(union) if union else 1.0


def _weighted(words: Sequence[str], weights: Rarity) -> dict[str, float]:
    return {word: n * weights.known.get(word, weights.unknown) for word, n in Counter(words).items()}


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    if not one and not other:
        return 1.0
    norms = [math.sqrt(sum(x * x for x in vector.values())) for vector in (one, other)]
    shared = sum(one[key] * other[key] for key in set(one) & set(other))
    return shared / (norms[0] * norms[1]) if all(norms) else 0.0
