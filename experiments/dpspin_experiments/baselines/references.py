"""Non-private references: what could be said if nothing had to be protected (paper section 6).

All of them read protected text.  They are the curator's, are never released, and have neither accounting nor claim.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dpspin import pipeline
from dpspin.corpus.jsonl import Record
from dpspin.corpus.representation import terms
from dpspin.pipeline import Released, Setting
from dpspin_experiments.baselines import clustering
from dpspin_experiments.baselines.clustering import Shape
from dpspin_experiments.baselines.documents import Document
from dpspin_experiments.baselines.redaction import redacted
from dpspin_experiments.baselines.vocabulary import categories, keywords

SENTENCE = re.compile(r"(?<=[.!?])\s+")
SHORTEST = 4
SENTENCES = 5


def extractive(documents: Sequence[Document]) -> str:
    """The sentences whose words most units use, verbatim (Luhn 1958); no two of them with the same words."""
    use = Counter(term for document in documents for term in terms(document.text) if len(term) >= SHORTEST)
    found: dict[frozenset[str], tuple[Fraction, str]] = {}
    for document in documents:
        for sentence in SENTENCE.split(document.text):
            words = frozenset(term for term in terms(sentence) if len(term) >= SHORTEST)
            if len(words) >= SHORTEST and words not in found:
                found[words] = Fraction(-sum(use[word] for word in words), len(words)), sentence
    return " ".join(sentence for _, sentence in sorted(found.values())[:SENTENCES]) + "\n"


def without_identifiers(documents: Sequence[Document]) -> list[Document]:
    """The same units after redaction by rules."""
    return [Document(tuple(map(redacted, each.texts)), each.categories) for each in documents]


def template(documents: Sequence[Document], setting: Setting) -> str:
    """Exact counts of the most frequent categories and keywords, in fixed words."""
    lines = [f"There are {len(documents):,} units."]
    for vocabulary in (categories(setting.universe), keywords(setting.universe)):
        counts = vocabulary.rows(documents).sum(axis=0)
        first = np.argsort(-counts, kind="stable")[:SENTENCES]
        named = ", ".join(f"{vocabulary.entries[at]} ({counts[at]:,})" for at in first)
        lines.append(f"Most frequent by {vocabulary.kind}: {named}.")
    return "\n".join(lines) + "\n"


class Cluster(NamedTuple):
    """A cluster that is large enough."""

    size: int
    terms: tuple[str, ...]
    """The most telling first."""


def clustered(documents: Sequence[Document], shape: Shape, seed: int = 0) -> list[Cluster]:
    """Every cluster that is large enough, with its most telling terms."""
    found = clustering.table([document.text for document in documents])
    rows = clustering.directions(found.held, found.held.mean(axis=0) > clustering.COMMON)
    nearest = clustering.clusters(rows, shape, np.random.default_rng(seed))
    return [
        Cluster(each.size, tuple(found.terms[at] for at in each.terms))
        for each in clustering.described(found.held, nearest, shape)
    ]


def of_clusters(found: Sequence[Cluster]) -> str:
    """A summary of clusters."""
    lines = [f"A group of {each.size:,}: {', '.join(each.terms)}." for each in found]
    return "\n".join(lines or ["No group is large enough to be described."]) + "\n"


class _NoNoise:
    """Answers every query with the exact values; admission takes the highest, the lower index among equals."""

    def laplace(self, values: list[int], scale: Fraction, *, label: str) -> list[int]:  # noqa: ARG002
        return list(values)

    def gaussian(self, values: list[int], sigma: Fraction, *, label: str) -> list[int]:  # noqa: ARG002
        return list(values)

    def peel(self, scores: list[int], exponent: Fraction, rounds: int, *, label: str) -> list[int]:  # noqa: ARG002
        return sorted(range(len(scores)), key=lambda at: (-scores[at], at))[:rounds]


def without_noise(records: Iterable[Record], setting: Setting) -> Released:
    """The same pipeline without noise: the exact plan in the words of the template decoder, stamped, and the sketch."""
    return pipeline.release_with(setting, records, _NoNoise())
