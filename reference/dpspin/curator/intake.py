"""From a corpus to its exact sketch: which records count, and the sum of what they contribute (paper section 4.1).

Memory does not grow with the corpus: records are read one at a time and, at user level, users a share at a time.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from zlib import crc32

from dpspin import kernel
from dpspin.corpus import split
from dpspin.corpus.jsonl import Lines, Record
from dpspin.corpus.scoring import Scoring
from dpspin.curator.sketch import sketch, user_sketch
from dpspin.deployment import Deployment

COUNTED = (
    "records", "without_unit", "auxiliary", "not_selected",
    "protected", "protected_without_text", "protected_without_mass",
)  # fmt: skip
"""Records read; in neither half; auxiliary; not selected; protected; and of those the ones that contribute nothing."""
RECORDS_AT_ONCE = 1_000_000
"""Protected records of one pass over a corpus at user level, about: no more users than that are held at once."""


def protected(records: Iterable[Record], deployment: Deployment, counts: Counter[str]) -> Iterator[tuple[str, Record]]:
    """Unit and record of each record that is protected and selected, one record at a time.

    A record without a unit is in neither half, whatever the other records are (spec.md section 1).  `counts` is told
    of every record, for the curator.
    """
    corpus, halves = deployment.corpus, deployment.corpus.split
    for record in records:
        counts["records"] += 1
        unit = split.unit_of(record, deployment.user)
        if unit is None:
            counts["without_unit"] += 1
        elif split.belongs(halves.key, halves.auxiliary_share, unit):
            counts["auxiliary"] += 1
        elif not split.belongs(corpus.selection_key, corpus.sampling_rate, unit):
            counts["not_selected"] += 1
        else:
            counts["protected"] += 1
            counts["protected_without_text"] += record.text is None
            yield unit, record


def protected_scores(
    records: Iterable[Record], deployment: Deployment, weights: Scoring, counts: Counter[str]
) -> Iterator[tuple[str, list[int]]]:
    """Unit and integer scores of each of these records; one without text has no positive score, and no mass."""
    for unit, record in protected(records, deployment, counts):
        scores = weights.scores(record.text)
        counts["protected_without_mass"] += not any(scores)
        yield unit, scores


def exact_sketch(
    records: Iterable[Record], deployment: Deployment, weights: Scoring, counts: Counter[str]
) -> list[int]:
    """C(D): the exact mass of every atom, in lattice units (paper section 4.1).

    At user level, records that can be read more than once are read in several passes, each for some of the users, so
    that memory does not grow with the corpus.
    """
    width = weights.atoms
    if deployment.user is None:
        return sketch(
            (scores for _, scores in protected_scores(records, deployment, weights, counts)), deployment, width
        )
    passes = _passes(records, deployment)
    parts = [
        user_sketch(
            protected_scores(_share(records, deployment, part, passes), deployment, weights, counts), deployment, width
        )
        for part in range(passes)
    ]
    return kernel.add(parts, width)


def _passes(records: Iterable[Record], deployment: Deployment) -> int:
    """How often to read: by the length of the corpus and public shares, whoever the users are; a stream once."""
    length = records.count() if isinstance(records, Lines) else len(records) if isinstance(records, Sequence) else 0
    chosen = (1 - deployment.corpus.split.auxiliary_share) * deployment.corpus.sampling_rate
    return 1 + int(length * chosen / RECORDS_AT_ONCE)


def _share(records: Iterable[Record], deployment: Deployment, part: int, passes: int) -> Iterator[Record]:
    """The records of one pass: all those of some units."""
    for record in records:
        unit = split.unit_of(record, deployment.user) or ""
        if passes == 1 or crc32(unit.encode(errors="surrogatepass")) % passes == part:
            yield record
