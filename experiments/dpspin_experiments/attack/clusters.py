"""The attack on a k-anonymous cluster-and-summarise pipeline: whether a summary tells the target's secret.

The pipeline groups records, drops groups with fewer than k records, and describes the others by their most telling
terms: the structure of Clio (Tamkin et al. 2024, arXiv 2412.13678) without its language models, which redact, describe
and audit.  The attack is that of CLIOPATRA (Annamalai, De Cristofaro and Kairouz 2026, arXiv 2603.09781) in its
simplest form: records that say what is known of the target gather round the target's record, so that the group is
large enough and its description has room for what only the target says.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dpspin_experiments.attack import story
from dpspin_experiments.baselines import clustering
from dpspin_experiments.baselines.clustering import Described, Floats, Shape

SHAPE = Shape(clusters=16, smallest=25, shown=24)
"""k = 25."""
RECOGNISED = 3
"""A summary with so many of the known details is taken for that of the target's group."""


class Words(NamedTuple):
    """Positions of terms that the attacker looks for."""

    known: frozenset[int]
    secret: tuple[frozenset[int], frozenset[int]]
    """Terms that only records with the first, or the second, value have."""


class Corpus(NamedTuple):
    """All texts of the demonstration as terms, once for all trials."""

    held: Floats
    """float64[pool + 3, terms]: the pool, a crafted record, the target with either value."""
    rows: Any
    """The same as directions, sparse int64, by which records are grouped."""
    words: Words
    terms: tuple[str, ...]


def corpus(pool: Sequence[str]) -> Corpus:
    """The texts as terms; which terms are common is decided on the pool."""
    values = story.secrets()
    found = clustering.table([*pool, story.KNOWN, *map(story.target, values)])
    common = found.held[: len(pool)].mean(axis=0) > clustering.COMMON
    at = {term: index for index, term in enumerate(found.terms)}
    alone = [{at[term] for term in clustering.table([value.text]).terms} for value in values]
    known = frozenset(at[term] for term in clustering.table([story.KNOWN]).terms)
    secret = frozenset(alone[0] - alone[1]), frozenset(alone[1] - alone[0])
    return Corpus(found.held, clustering.directions(found.held, common), Words(known, secret), found.terms)


def released(full: Corpus, chosen: npt.NDArray[np.int64], stream: np.random.Generator) -> list[Described]:
    """What the pipeline releases of some of the texts: int64[records], positions in the corpus."""
    nearest = clustering.clusters(full.rows[chosen], SHAPE, stream)
    return clustering.described(full.held[chosen], nearest, SHAPE)


def records(full: Corpus, people: npt.NDArray[np.int64], crafted: int, secret: int) -> npt.NDArray[np.int64]:
    """Positions of other people's records, the crafted ones and the target's."""
    pool = len(full.held) - 3
    return np.concatenate([people, np.full(crafted, pool), [pool + 1 + secret]]).astype(np.int64)


def read(summaries: Sequence[Described], words: Words) -> int | None:
    """The attacker's guess: 0 or 1, or None where no summary tells anything.

    The summary with most of the known details counts; in it, the value of which it has more terms.
    """
    known = [len(words.known & set(each.terms)) for each in summaries]
    if not known or max(known) < RECOGNISED:
        return None
    terms = set(summaries[known.index(max(known))].terms)
    first, second = (len(terms & only) for only in words.secret)
    return None if first == second else int(second > first)
