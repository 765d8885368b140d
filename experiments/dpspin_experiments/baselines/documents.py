"""The protected units of a corpus, each as one document: what every baseline reads, and the plan with them.

All records of a unit are one document.  A guarantee for one document is then one for the unit, at user level too.
"""

from collections.abc import Iterable
from typing import NamedTuple

from dpspin.corpus import split
from dpspin.corpus.dictionary import SEPARATOR
from dpspin.corpus.jsonl import Record
from dpspin.deployment import Deployment

CATEGORY_FIELDS = ("product", "label")
"""Fields that name what a record is about, the first that is there counts; of a longer label, its first part."""


class Document(NamedTuple):
    """One protected unit."""

    texts: tuple[str, ...]
    """Of its records, in order; a record without text is left out."""
    categories: tuple[str, ...]
    """Of its records, as the source says; at most one each."""

    @property
    def text(self) -> str:
        """All its text."""
        return " ".join(self.texts)


def documents(records: Iterable[Record], deployment: Deployment) -> list[Document]:
    """The units that a release of the deployment protects, in order of first appearance.

    The same units as `dpspin.curator.intake` reads: neither auxiliary nor left out by selection, and with an id.
    """
    corpus, halves = deployment.corpus, deployment.corpus.split
    found: dict[str, Document] = {}
    for record in records:
        unit = split.unit_of(record, deployment.user)
        if unit is None or split.belongs(halves.key, halves.auxiliary_share, unit):
            continue
        if split.belongs(corpus.selection_key, corpus.sampling_rate, unit):
            held, name = found.get(unit, Document((), ())), category(record)
            texts = (*held.texts, record.text) if record.text is not None else held.texts
            found[unit] = Document(texts, (*held.categories, name) if name else held.categories)
    return list(found.values())


def category(record: Record) -> str | None:
    """What the source says that a record is about: the first part of its label."""
    named = (record.labels[field] for field in CATEGORY_FIELDS if record.labels.get(field))
    return next(named, "").split(SEPARATOR)[0] or None
